import Foundation
import Pebbles

//   ┌──────────────┐
//   │ loadLaunches ├──┐
//   └──────────────┘  │ completed    ┌────────────────┐
//                     ├── and ──────▶│ refreshScreens │
//   ┌──────────────┐  │ completed    └────────────────┘
//   │  loadCores   ├──┘
//   └──────────────┘

/// The boot of a launch tracker, as a pond of three pebbles.
///
/// Both loads start at once. The screens are made when both have completed, well or badly: stale
/// data beats no data, so a load that failed costs freshness and nothing else.
///
/// ```swift
/// let report = try await boot.pond.run()
/// print(report)
/// print(report[boot.loadLaunches] ?? "the launches are not fresh")
/// ```
struct Boot: Sendable {
  static let pebbleNames = ["loadLaunches", "loadCores", "refreshScreens"]

  let pond = Pond("boot")
  let loadLaunches: Pebble<Changes>
  let loadCores: Pebble<Changes>
  let refreshScreens: Pebble<Screens>

  /// - Parameters:
  ///   - launches: Where the launches come from.
  ///   - cores: Where the cores come from.
  ///   - store: What the loads write and the screens read. Each load is one transaction.
  ///   - stage: Narrates what happens.
  ///   - now: The clock on the wall.
  ///   - show: Puts the screens in front of somebody.
  init(
    launches: JSONFeed<Launch>, cores: JSONFeed<Core>, store: Store, stage: Stage,
    now: @escaping @Sendable () -> Date, show: @escaping @Sendable (Screens) throws -> Void
  ) {
    loadLaunches = pond.pebble("loadLaunches") {
      try await stage.perform("loadLaunches") {
        try await store.replace(\.launches, with: launches.read())
      }
    }

    loadCores = pond.pebble("loadCores") {
      try await stage.perform("loadCores") {
        try await store.replace(\.cores, with: cores.read())
      }
    }

    refreshScreens = pond.pebble(
      "refreshScreens", needs: loadLaunches.result, loadCores.result
    ) { launches, cores in
      try await stage.perform("refreshScreens") {
        let screens = try Screens(
          of: store.contents(), launchesError: launches.failure, coresError: cores.failure,
          now: now())
        try show(screens)
        return screens
      }
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    switch self {
    case .success: nil
    case .failure(let error): error
    }
  }
}
