// swift-tools-version: 6.3

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
let pebbles = Target.Dependency.product(name: "Pebbles", package: "swift-pond")
let pictures = Target.Dependency.product(name: "PebblesPictures", package: "swift-pond")
let durable = Target.Dependency.product(name: "PebblesDurable", package: "swift-pond")
let analysis = Target.Dependency.product(name: "PebblesAnalysis", package: "swift-pond")

// A package of its own, because the library itself promises to have no dependencies.
let package = Package(
  name: "pond-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-pond", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    // The graphs, as data, and the body that every contestant runs.
    .target(name: "Workloads", swiftSettings: strict),
    // oneTBB behind a C interface. Without oneTBB it builds all the same, and reports that it is
    // missing.
    .target(name: "CTaskGraph"),
    // Replaces `malloc` in the executable that links it.
    .target(name: "CAllocationCount"),
    // Simulates many processors in the executable that links it.
    .target(name: "CManyProcessors"),
    // A function of glibc that Swift does not import.
    .target(name: "CHeap"),
    // Workloads as ponds, through the public interface only.
    .target(name: "PondDefinition", dependencies: ["Workloads", pebbles], swiftSettings: strict),

    .executableTarget(
      name: "compare",
      dependencies: [
        "CHeap", "CTaskGraph", "PondDefinition", "Workloads", pebbles, analysis,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "allocations",
      dependencies: ["CAllocationCount", "PondDefinition", "Workloads", pebbles],
      swiftSettings: strict),
    .executableTarget(
      name: "instructions",
      dependencies: ["PondDefinition", "Workloads", pebbles],
      swiftSettings: strict),

    .executableTarget(
      name: "soak",
      dependencies: [
        "CHeap", "Workloads", pebbles,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(name: "small", dependencies: [pebbles], swiftSettings: strict),
    .executableTarget(
      name: "crew", dependencies: ["CManyProcessors", pebbles], swiftSettings: strict),
    .executableTarget(
      name: "engines", dependencies: ["Workloads", pebbles, analysis], swiftSettings: strict),

    .executableTarget(name: "journal", dependencies: [pebbles, durable], swiftSettings: strict),

    // Needs Chromium for measurements in a browser, and says so if it is missing.
    .executableTarget(
      name: "pictures",
      dependencies: [
        "PondDefinition", "Workloads", pebbles, analysis, pictures,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // The programs that `footprint` builds and measures.
    .executableTarget(name: "startup", swiftSettings: strict),
    .executableTarget(name: "empty", swiftSettings: strict),
    .executableTarget(name: "with-pond", dependencies: [pebbles], swiftSettings: strict),
    .executableTarget(name: "without-pond", swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
