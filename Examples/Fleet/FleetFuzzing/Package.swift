// swift-tools-version: 6.3

import PackageDescription

let fuzzed: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
  .unsafeFlags(["-sanitize=fuzzer", "-enable-testing", "-assert-config", "Debug"]),
]
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let modules = Target.Dependency.product(name: "Fuzzed", package: "Fuzzing")

// The parts of the fleet that read stored data, built again for fuzzing: without a server, and
// therefore without gRPC.
let package = Package(
  name: "fleet-fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../../../Tests/Fuzzing"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
  ],
  targets: [
    .target(name: "TemporalWire", dependencies: [protobuf], path: "TemporalWire"),
    // The files that need no server.
    .target(
      name: "PebblesTemporal", dependencies: ["TemporalWire", modules, protobuf],
      path: "PebblesTemporal", swiftSettings: fuzzed),
    .executableTarget(
      name: "fuzz-fleet",
      dependencies: [
        "TemporalWire", "PebblesTemporal", modules, protobuf,
        .product(name: "Fuzzing", package: "Fuzzing"),
      ],
      path: "Sources", swiftSettings: fuzzed,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
)
