// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let pebbles = Target.Dependency.product(name: "Pebbles", package: "swift-pond")
let analysis = Target.Dependency.product(name: "PebblesAnalysis", package: "swift-pond")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")

// A package of its own, because the library itself promises to have no dependencies.
let package = Package(
  name: "fleet",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-pond", path: "../.."),
    // Without its plugin, which builds a compiler of its own: the generated code is checked in.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
  ],
  targets: [
    // Messages of the Temporal API, made by Proto/generate.
    .target(name: "TemporalWire", dependencies: [protobuf]),
    .target(
      name: "PebblesTemporal", dependencies: ["TemporalWire", pebbles, analysis, protobuf],
      swiftSettings: strict),
    .testTarget(
      name: "PebblesTemporalTests",
      dependencies: ["PebblesTemporal", "TemporalWire", pebbles, analysis, protobuf],
      swiftSettings: strict),
  ]
)
