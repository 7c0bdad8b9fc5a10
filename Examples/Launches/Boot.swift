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
/// Both loads start immediately. The screens are made after both loads have completed, even if one
/// failed. In that case, the store still has the data of the last successful load, if there was
/// one. Stale data is better than no data.
struct Boot: Sendable {
  static let pebbleNames = ["loadLaunches", "loadCores", "refreshScreens"]

  let pond: Pond
  let loadLaunches: Pebble<Int>
  let loadCores: Pebble<Int>
  let refreshScreens: Pebble<Screens>

  /// Creates the boot. `now` returns the current time, and `show` shows the screens. `around` wraps
  /// the call to each body, and can delay the body or make it fail.
  init(
    launches: Feed<ServedLaunch>, cores: Feed<ServedCore>, store: Store,
    now: @escaping @Sendable () -> Date, show: @escaping @Sendable (Screens) throws -> Void,
    around: @escaping Around
  ) {
    pond = Pond("boot", around: around)

    loadLaunches = pond.pebble("loadLaunches") {
      try store.replace(\.launches, with: launches.read(), at: now())
    }

    loadCores = pond.pebble("loadCores") {
      try store.replace(\.cores, with: cores.read(), at: now())
    }

    refreshScreens = pond.pebble(
      "refreshScreens", needs: loadLaunches.result, loadCores.result
    ) { launches, cores in
      let screens = try Screens(
        of: store.contents(), launchesFailed: (try? launches.get()) == nil,
        coresFailed: (try? cores.get()) == nil, now: now())
      try show(screens)
      return screens
    }
  }
}
