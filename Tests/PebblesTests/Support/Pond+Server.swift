import PebblesTestSupport

@testable import Pebbles

extension Pond {
  /// Returns a pond with a service that records when it is ready, when it is asked to stop, and
  /// when it ends.
  static func server(_ name: String, _ journal: Logbook<String>, after booted: Gate? = nil) -> Pond
  {
    let pond = Pond(name)
    pond.service(name, .stopWithin(.seconds(1000))) { ready in
      if let booted { await booted.passed() }
      journal.note("\(name) up")
      ready()
      await ready.stopRequested()
      journal.note("\(name) asked")
      await Task.yield()
      journal.note("\(name) gone")
    }
    return pond
  }
}
