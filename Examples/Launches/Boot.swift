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
struct Boot: Sendable {
  static let pebbleNames = ["loadLaunches", "loadCores", "refreshScreens"]

  let pond: Pond
  let loadLaunches: Pebble<Int>
  let loadCores: Pebble<Int>
  let refreshScreens: Pebble<Screens>

  /// `now` is the clock on the wall, `show` puts the screens in front of people, and what is around
  /// the bodies may slow them down or let them fail.
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
