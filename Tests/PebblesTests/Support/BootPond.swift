import PebblesTestSupport

@testable import Pebbles

/// The boot of a launch tracker: a small pond with everything that a drawing can show.
struct BootPond {
  let pond = Pond("boot")
  let loadLaunches: Pebble<Int>
  let loadCores: Pebble<Int>
  let ping: Pebble<Void>
  let showOffline: Pebble<Void>

  init(coresFail: Bool = false) {
    loadLaunches = pond.pebble("loadLaunches") { 205 }
    loadCores = pond.pebble("loadCores") {
      if coresFail { throw Breakdown("cores.json, line 3: a comma is missing") }
      return 83
    }
    ping = pond.pebble("ping") { complete in complete(true) }
    let refresh = pond.pebble("refreshScreens", needs: loadLaunches.result, loadCores.result) {
      _, _ in
    }
    let offline = (ping.failed && loadCores.failed).labeled("offline with nothing new")
    showOffline = pond.pebble("showOffline", when: offline) {}
    pond.pebble("showNews", when: ping.succeeded && (loadLaunches.succeeded || loadCores.succeeded))
    {}
    pond.pebble("index", when: loadLaunches.succeeded) {}
    pond.pebble("cleanUp", when: refresh.settled && showOffline.skipped) {}
  }
}
