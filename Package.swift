// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
  name: "swift-pond",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Pebbles", targets: ["Pebbles"])
  ],
  targets: [
    .target(name: "Pebbles", swiftSettings: settings),
    .testTarget(name: "PebblesTests", dependencies: ["Pebbles"], swiftSettings: settings),

    .executableTarget(
      name: "launches", dependencies: ["Pebbles"], path: "Examples/Launches",
      resources: [.copy("Fixtures")], swiftSettings: settings),
    .testTarget(name: "LaunchesTests", dependencies: ["launches"], swiftSettings: settings),

    .testTarget(name: "TidyTests", swiftSettings: settings),
  ]
)
