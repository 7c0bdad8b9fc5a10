// swift-tools-version: 6.3

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let pebbles = Target.Dependency.product(name: "Pebbles", package: "swift-pond")
let durable = Target.Dependency.product(name: "PebblesDurable", package: "swift-pond")
let analysis = Target.Dependency.product(name: "PebblesAnalysis", package: "swift-pond")
let grpc = Target.Dependency.product(name: "GRPCCore", package: "grpc-swift-2")
let transport = Target.Dependency.product(
  name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let pictures = Target.Dependency.product(name: "PebblesPictures", package: "swift-pond")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")

// A package of its own, because the library itself promises to have no dependencies.
let package = Package(
  name: "fleet",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "PebblesTemporal", targets: ["PebblesTemporal"])
  ],
  dependencies: [
    .package(name: "swift-pond", path: "../.."),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Without its plugin, which builds a compiler of its own: the generated code is checked in.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
  ],
  targets: [
    // Messages of the Temporal API, made by Proto/generate.
    .target(name: "TemporalWire", dependencies: [protobuf]),
    .target(
      name: "PebblesTemporal",
      dependencies: [
        "TemporalWire", pebbles, durable, analysis, grpc, transport, protobuf, nio, nioHTTP2,
        nioSSL, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PebblesTemporalTests",
      dependencies: [
        "Nightly", "PebblesTemporal", "TemporalWire", "fleet", pebbles, durable, analysis, grpc,
        nio, nioEmbedded, nioSSL, protobuf, logging,
      ],
      exclude: ["Histories"], swiftSettings: strict),

    // The nightly load of a launch history, and the program that runs it.
    .target(
      name: "Nightly", dependencies: [pebbles], resources: [.copy("Fixtures")],
      swiftSettings: strict),
    .executableTarget(
      name: "fleet",
      dependencies: [
        "Nightly", "PebblesTemporal", pebbles, analysis, pictures, arguments, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NightlyTests", dependencies: ["Nightly", pebbles, analysis], swiftSettings: strict),
  ]
)
