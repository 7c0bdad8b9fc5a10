// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
  name: "swift-pond",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Pebbles", targets: ["Pebbles"]),
    .library(name: "PebblesAnalysis", targets: ["PebblesAnalysis"]),
    .library(name: "PebblesDurable", targets: ["PebblesDurable"]),
    .library(name: "PebblesPictures", targets: ["PebblesPictures"]),
    .library(name: "PebblesTesting", targets: ["PebblesTesting"]),
    .executable(name: "pond", targets: ["pond"]),
  ],
  targets: [
    .target(name: "Pebbles", swiftSettings: settings),
    .testTarget(
      name: "PebblesTests", dependencies: ["Pebbles", "PebblesDurable", "PebblesTestSupport"],
      swiftSettings: settings),
    .target(
      name: "PebblesTestSupport", dependencies: ["Pebbles"], path: "Tests/Support",
      swiftSettings: settings),

    .target(name: "PebblesAnalysis", dependencies: ["Pebbles"], swiftSettings: settings),
    .testTarget(
      name: "PebblesAnalysisTests",
      dependencies: ["PebblesAnalysis", "PebblesDurable", "PebblesTestSupport"],
      exclude: ["Coding/Fixtures"], swiftSettings: settings),

    .target(
      name: "PebblesDurable", dependencies: ["Pebbles", "PebblesAnalysis"],
      swiftSettings: settings),
    .testTarget(
      name: "PebblesDurableTests",
      dependencies: ["PebblesDurable", "PebblesTestSupport", "journal-probe"],
      swiftSettings: settings),
    .executableTarget(
      name: "journal-probe", dependencies: ["PebblesDurable", "PebblesTestSupport"],
      path: "Tests/JournalProbe", swiftSettings: settings),

    .target(
      name: "PebblesPictures", dependencies: ["Pebbles", "PebblesAnalysis"],
      exclude: ["Page/Source"], swiftSettings: settings),
    .testTarget(
      name: "PebblesPicturesTests",
      dependencies: ["PebblesPictures", "PebblesDurable", "PebblesTestSupport"],
      swiftSettings: settings),

    .target(
      name: "PebblesTesting", dependencies: ["Pebbles", "PebblesAnalysis"],
      swiftSettings: settings),
    .testTarget(
      name: "PebblesTestingTests", dependencies: ["PebblesTesting", "PebblesTestSupport"],
      swiftSettings: settings),

    .executableTarget(
      name: "pond",
      dependencies: ["Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures"],
      swiftSettings: settings),
    .testTarget(
      name: "PondTests", dependencies: ["pond", "PebblesTestSupport"], swiftSettings: settings),

    .executableTarget(
      name: "launches",
      dependencies: ["Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures"],
      path: "Examples/Launches", resources: [.copy("Fixtures")], swiftSettings: settings),
    .testTarget(
      name: "LaunchesTests", dependencies: ["launches", "PebblesAnalysis", "PebblesTestSupport"],
      swiftSettings: settings),

    .testTarget(
      name: "TidyTests", dependencies: ["PebblesTestSupport"], swiftSettings: settings),
  ]
)
