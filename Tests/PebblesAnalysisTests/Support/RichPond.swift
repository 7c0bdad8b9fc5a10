import Pebbles
import PebblesTestSupport

/// Returns a pond that uses nearly every feature of ponds.
func richPond() -> Pond {
  let disk = Pond("disk")
  disk.pebble("open") {}
  let cache = Pond("cache", maxConcurrent: 1)
  cache.add(disk, as: "disk")
  cache.pebble("load", .blocking) {}
  let pond = Pond("boot", maxConcurrent: 7, onFailure: .custom { _ in .goOn })
  let ping = pond.pebble("ping", .retry(.attempts(3)), .exclusive("line")) {
    throw Breakdown("refused,\n\"again\"")
  }
  let cores = pond.pebble(
    "cores", .enabled { false }, .timeout(.seconds(5)), .uses("lines", 2, of: 4), .uses("lines"),
    .priority(-3)
  ) {}
  let offline = (ping.failed && !cores.succeeded).labeled("offline")
  pond.pebble("show", needs: ping.result, cores.optional, when: offline || ping.skipped) { _, _ in
    _ = try await disk.run()
  }
  pond.service("listen", .ending(.ignore), when: .any([offline, !offline, .never])) { $0() }
  pond.add(cache, as: "cache")
  pond.pebble("never", when: .never && offline) {}
  let first = pond.pebble("first", teardown: {}) {}
  let second = pond.pebble("second", when: first.skipped) {}
  first.ready = second.succeeded
  pond.pebble("after", when: cores.succeeded) {}
  return pond
}
