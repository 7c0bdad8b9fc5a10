// swift-tools-version: 6.3

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

// Without optimization, a search among half a million people takes more than a second, which would
// spoil `swift run`.
let optimized = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let pebbles = Target.Dependency.product(name: "Pebbles", package: "swift-pond")
let analysis = Target.Dependency.product(name: "PebblesAnalysis", package: "swift-pond")
let pictures = Target.Dependency.product(name: "PebblesPictures", package: "swift-pond")
let testing = Target.Dependency.product(name: "PebblesTesting", package: "swift-pond")

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(
  name: "HummingbirdTesting", package: "hummingbird")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let lifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let metricsTesting = Target.Dependency.product(
  name: "MetricsTestKit", package: "swift-metrics")
let tracing = Target.Dependency.product(
  name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing = Target.Dependency.product(
  name: "InMemoryTracing", package: "swift-distributed-tracing")
let configuration = Target.Dependency.product(
  name: "Configuration", package: "swift-configuration")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

// A package of its own, because the library itself promises to have no dependencies.
let package = Package(
  name: "tracker",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "PebblesServer", targets: ["PebblesServer"])
  ],
  dependencies: [
    .package(name: "swift-pond", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    // For any service with a pond, independent of the tracker.
    .target(
      name: "PebblesServer",
      dependencies: [
        pebbles, analysis, pictures, hummingbird, lifecycle, logging, metrics, tracing,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PebblesServerTests",
      dependencies: [
        "PebblesServer", "TrackerTestSupport", pebbles, analysis, hummingbird, hummingbirdTesting,
        lifecycle, logging, metrics, metricsTesting, tracing, inMemoryTracing,
      ],
      swiftSettings: strict),

    // Lists loaded page by page, with a pebble for every page.
    .target(name: "Sections", dependencies: [pebbles, httpClient, logging], swiftSettings: strict),
    .testTarget(
      name: "SectionsTests",
      dependencies: ["Sections", "TrackerTestSupport", pebbles, analysis, hummingbird, testing],
      swiftSettings: strict),

    // The layout of all pages, with its style and keys.
    .target(
      name: "SitePages", dependencies: [hummingbird, mustache], resources: [.copy("Files")],
      swiftSettings: strict),

    // Half a million people and three filters.
    .target(name: "People", dependencies: [pebbles], swiftSettings: optimized),
    .target(
      name: "PeoplePage", dependencies: ["People", "SitePages", hummingbird],
      resources: [.copy("Page")],
      swiftSettings: strict),
    .executableTarget(name: "people-bench", dependencies: ["People"], swiftSettings: strict),
    .testTarget(
      name: "PeopleTests",
      dependencies: [
        "People", "PeoplePage", "SitePages", "TrackerTestSupport", pebbles, hummingbird, httpClient,
        logging,
      ],
      swiftSettings: strict),

    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "TrackerCore",
      dependencies: [
        "CZlib", "PebblesServer", "Sections", "SitePages", "People", "PeoplePage", pebbles,
        pictures, hummingbird, hummingbirdCore, crypto, grdb, httpClient, lifecycle, logging,
        metrics, tracing, configuration,
      ],
      resources: [.copy("Feed/Fixtures"), .copy("Home/HomeFiles"), .copy("Search/Page")],
      swiftSettings: strict),
    .executableTarget(
      name: "tracker",
      dependencies: [
        "TrackerCore", "PebblesServer", pebbles, logging, arguments, configuration,
      ],
      swiftSettings: strict),
    // Measures the cost of the pond, compared with a hand-written boot.
    .executableTarget(
      name: "figures",
      dependencies: [
        "TrackerCore", "SitePages", "People", pebbles, hummingbird, grdb, httpClient, lifecycle,
        logging, arguments, configuration,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TrackerTests",
      dependencies: [
        "TrackerCore", "PebblesServer", "People", "SitePages", "TrackerTestSupport", "tracker",
        "figures",
        pebbles, analysis, testing, hummingbird, hummingbirdTesting, grdb, httpClient, logging,
        configuration, inMemoryTracing,
      ],
      exclude: ["Boot/boot-baseline.json"],
      swiftSettings: strict),
    // Tests with a feed that misbehaves on demand, and with a real browser.
    .target(
      name: "TrackerTestSupport",
      dependencies: [hummingbird, httpClient, lifecycle, logging, pebbles],
      path: "Tests/Support", swiftSettings: strict),
  ]
)
