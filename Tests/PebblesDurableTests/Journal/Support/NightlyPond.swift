import Pebbles
import PebblesTestSupport

/// A pond that uses most features, together with logs of its calls and teardowns.
struct NightlyPond: Sendable {
  let pond = Pond("nightly")
  let calls = Logbook<String>()
  let closed = Logbook<String>()
  let size: Pebble<Int>
  let report: Pebble<String>

  final class Handle: Sendable {}

  init() {
    let (pond, calls, closed) = (pond, calls, closed)
    size = pond.given("size", default: 3)
    let database: Pebble<String> = pond.service("database") { ready in
      calls.note("database")
      ready("db")
      await ready.stopRequested()
    }
    let fetched = pond.pebble(
      "fetch", .retry(.attempts(3)), needs: size, teardown: { (_: [Int]) in closed.note("fetch") }
    ) { size in
      calls.note("fetch")
      if PebbleContext.current?.attempt == 1 { throw Breakdown() }
      return Array(0..<size)
    }
    let handle = pond.pebble("handle") {
      calls.note("handle")
      return Handle()
    }
    let mirror = pond.pebble("mirror", needs: fetched) { _ in
      calls.note("mirror")
      throw Breakdown()
    }
    let parsed = pond.pebble(
      "parse", .exclusive("cpu"), needs: fetched, handle, database,
      when: mirror.failed("refused") { $0 is Breakdown },
      teardown: { (_: [String]) in closed.note("parse") }
    ) { fetched, _, database in
      calls.note("parse")
      return fetched.map { "\(database)-\($0)" }
    }
    pond.pebble("never", when: mirror.succeeded) { calls.note("never") }
    pond.pebble("off", .enabled { false }) { calls.note("off") }
    report = pond.pebble("report", .exclusive("cpu"), needs: parsed, handle) { parsed, _ in
      calls.note("report")
      return parsed.joined(separator: ",")
    }
  }

  static let outcomes = [
    "size succeeded", "database succeeded", "fetch succeeded", "handle succeeded", "mirror failed",
    "parse succeeded", "never skipped", "off skipped", "report succeeded",
  ]
}

extension Report {
  /// The names of the pebbles, each followed by a word for its outcome.
  var outcomeWords: [String] {
    records.map { record in
      switch record.outcome {
      case .succeeded: "\(record.name) succeeded"
      case .failed: "\(record.name) failed"
      case .skipped: "\(record.name) skipped"
      }
    }
  }
}
