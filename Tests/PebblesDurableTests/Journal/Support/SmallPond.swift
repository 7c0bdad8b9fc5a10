import Pebbles
import PebblesDurable
import PebblesTestSupport

/// A pond of two pebbles that logs its calls.
struct SmallPond: Sendable {
  let pond: Pond
  let calls = Logbook<String>()
  let closed = Logbook<String>()
  let sum: Pebble<Int>

  init(
    _ name: String = "small", more: Bool = false,
    first: @escaping @Sendable () async throws -> Void = {}
  ) {
    pond = Pond(name)
    let (calls, closed) = (calls, closed)
    let opens = pond.pebble("opens", teardown: { (_: Int) in closed.note("opens") }) {
      calls.note("opens")
      try await first()
      return 3
    }
    sum = pond.pebble("sum", needs: opens) { number in
      calls.note("sum")
      return number + 1
    }
    if more { pond.pebble("more") {} }
  }

  /// Returns the journal of a run of such a pond before its shutdown, or of the whole run if
  /// `whole` is `true`.
  static func journal(whole: Bool = false) async throws -> [UInt8] {
    let file = try JournalFile()
    let small = SmallPond()
    let run = try await small.pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let bytes = try file.bytes
    _ = try await run.shutdown()
    return whole ? try file.bytes : bytes
  }
}
