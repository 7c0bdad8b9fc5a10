// swift-tools-version: 6.3

import PackageDescription

// The modules under test are built here once more, by a link to their sources: with counters of
// which edges were taken, optimized, and with all assertions. A package that others depend on may
// not ask for that.
let fuzzed: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
  .unsafeFlags(["-sanitize=fuzzer", "-enable-testing", "-assert-config", "Debug"]),
]

let package = Package(
  name: "pond-fuzzing",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Fuzzing", targets: ["Fuzzing"]),
    .library(name: "Fuzzed", targets: ["Pebbles", "PebblesAnalysis", "PebblesDurable"]),
  ],
  targets: [
    .target(name: "Pebbles", path: "Modules/Pebbles", swiftSettings: fuzzed),
    .target(
      name: "PebblesAnalysis", dependencies: ["Pebbles"], path: "Modules/PebblesAnalysis",
      swiftSettings: fuzzed),
    .target(
      name: "PebblesDurable", dependencies: ["Pebbles", "PebblesAnalysis"],
      path: "Modules/PebblesDurable", swiftSettings: fuzzed),
    .target(
      name: "PebblesPictures", dependencies: ["Pebbles", "PebblesAnalysis"],
      path: "Modules/PebblesPictures", exclude: ["Page/Source"], swiftSettings: fuzzed),
    // All but what makes a program of it.
    .target(
      name: "PondCommands",
      dependencies: ["Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures"],
      path: "Modules/pond", exclude: ["PondCommand.swift"], swiftSettings: fuzzed),

    .systemLibrary(name: "CLibFuzzer", path: "Sources/CLibFuzzer"),
    .target(
      name: "Fuzzing", dependencies: ["CLibFuzzer"], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Fuzzing", "Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures",
        "PondCommands",
      ],
      swiftSettings: fuzzed,
      // The other linkers take the `main` of libFuzzer's runtime beside that of the program.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
)
