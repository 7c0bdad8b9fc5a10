import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import Testing

@testable import PebblesTemporal

/// Tests for runs on a real server that are cancelled and torn down.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct TeardownTests {
  private let id = UUID().uuidString

  /// A record of what happened, in order.
  private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
      lines.withLock { $0.append(line) }
    }
  }

  /// Defines a chain, which can be torn down in only one order:
  /// `database` ─▶ `migrate` ─▶ `cache` ─▶ `index` ─▶ `last`.
  private func pond(
    _ notes: Notes, _ policy: FailurePolicy = .ignore,
    last: @escaping @Sendable () async throws -> Void
  ) -> Pond {
    let pond = Pond("undone", onFailure: policy)
    let database = pond.pebble("database", teardown: { notes.add("database \($0)") }) { 7 }
    let migrate = pond.pebble("migrate", when: database.succeeded) {}
    let cache = pond.pebble(
      "cache", needs: database, when: migrate.succeeded, teardown: { notes.add("cache \($0)") }
    ) { "of \($0)" }
    let index = pond.pebble(
      "index", needs: cache,
      teardown: { _ in
        notes.add("index")
        throw Failing()
      }
    ) { $0.count }
    pond.pebble("last", when: index.succeeded, body: last)
    return pond
  }

  private static let order = ["index", "cache of 7", "database 7"]

  private func check(_ run: RecordedRun, against local: Report) throws {
    let expected = local.recorded()
    #expect(run.pebbles.map(\.outcome.word) == expected.pebbles.map(\.outcome.word))
    #expect(run.shutdown?.teardowns.map(\.pebble) == expected.shutdown?.teardowns.map(\.pebble))
    #expect(run.shutdown?.teardowns.map(\.error) == expected.shutdown?.teardowns.map(\.error))
    #expect(try run.exitCode == local.exitCode)
    #expect(run.cancellation?.isOrderly == expected.cancellation?.isOrderly)
  }

  @Test func aCancelledRunIsUndoneAsALocalOneIs() async throws {
    let (here, there) = (Notes(), Notes())
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let last: @Sendable () async throws -> Void = {
      start.yield()
      try await Task.sleep(for: .seconds(3_600))
    }
    let local = try pond(here, last: last).start()
    for await _ in started { break }
    local.cancel()
    let expected = try await local.report

    let pond = pond(there, last: last)
    let run = try await withWorkers([pond], count: 2) { [id] temporal, options in
      var options = options
      options.heartbeat = .seconds(5)
      let run = try await pond.start(on: temporal, id: id, options)
      for await _ in started { break }
      try await run.cancel()
      return try await run.report()
    }

    #expect(there.all == Self.order)
    #expect(here.all == there.all)
    try check(run, against: expected)
    #expect(run.shutdown?.failures.map(\.error) == ["it was to fail"])
  }

  @Test func aFailedPolicyIsUndoneAsInALocalRun() async throws {
    let (here, there) = (Notes(), Notes())
    let expected = try await pond(here, .cancelAll) { throw Failing() }.run()

    let pond = pond(there, .cancelAll) { throw Failing() }
    let run = try await withWorkers([pond]) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(there.all == Self.order)
    #expect(here.all == there.all)
    try check(run, against: expected)
  }

  @Test func aPassedDeadlineIsUndone() async throws {
    let notes = Notes()
    let pond = pond(notes) { try await Task.sleep(for: .seconds(3_600)) }

    let run = try await withWorkers([pond]) { [id] temporal, options in
      var options = options
      options.heartbeat = .seconds(5)
      options.within = .seconds(3)
      return try await pond.run(on: temporal, id: id, options)
    }

    // It may have come to less on a machine that is busy, and what it came to is undone.
    #expect(notes.all == Array(Self.order.suffix(notes.all.count)))
    #expect(run.shutdown?.teardowns.count == notes.all.count)
    #expect(run.cancellation?.isOrderly == false)
  }

  @Test func anOutputThatCannotBeStoredIsUndone() async throws {
    let notes = Notes()
    let pond = Pond("large")
    pond.pebble("large", teardown: { notes.add("\($0.count) undone") }) {
      String(repeating: "x", count: 3_000_000)
    }

    let run = try await withWorkers([pond]) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(notes.all == ["3000000 undone"])
    #expect(run.pebbles[0].outcome.text?.contains("its output has 3000002 bytes") == true)
  }

  private struct Socket: Sendable {}

  @Test func outputsThatCannotLeaveAreRefusedByClientAndWorkerAlike() async throws {
    let pond = Pond("sockets")
    let open = pond.pebble("open") { Socket() }
    pond.pebble("listen", needs: open) { _ in }
    let sentence = """
      the pond "sockets" cannot be run on Temporal:
        - open has an output that cannot leave the process: Socket is not Encodable
      """

    let address = try await TemporalServer.shared.address()
    try await Temporal.connected(to: address) { [id] temporal in
      await #expect(throws: TemporalError(sentence)) {
        try await pond.start(on: temporal, id: id)
      }
      #expect(throws: TemporalError(sentence)) { try TemporalWorker(temporal, ponds: [pond]) }
      await #expect(throws: TemporalError.self) {
        try await TemporalRun(temporal, id: id).report()
      }
    }
  }
}
