import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import Testing

@testable import PebblesTemporal

/// Tests for ponds on a real server.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct DurableRunTests {
  private let id = UUID().uuidString

  @Test func aPondRunsToItsEnd() async throws {
    let pond = Pond("nightly")
    let fetch = pond.pebble("fetch") { ["Starlink 1", "Starlink 2"] }
    let mail = pond.pebble("mail") { throw Failing() }
    let count = pond.pebble("count", needs: fetch) { $0.count }
    let keys = Mutex<[String]>([])
    pond.pebble("publish", needs: count, mail.result) { count, mail in
      keys.withLock { $0.append(PebbleContext.current?.idempotencyKey ?? "") }
      guard count == 2, case .failure(let error) = mail else { throw Failing() }
      return "\(error)"
    }
    pond.pebble("roll back", when: count.failed) {}

    let run = try await withWorkers([pond]) { [id] temporal, options in
      let run = try await pond.start(on: temporal, id: id, options)
      #expect(run.isNew)
      #expect(try await pond.start(on: temporal, id: id, options).runID == run.runID)
      let report = try await run.report()
      #expect(keys.withLock { $0 } == ["\(id)%2F\(run.runID)/publish"])
      return report
    }

    #expect(
      run.pebbles.map(\.outcome.word) == [
        "succeeded", "failed", "succeeded", "succeeded", "skipped",
      ])
    #expect(try run.why(at: 4)?.sentence.contains("count") == true)
    #expect(try run.exitCode == 0)
  }

  @Test func bodiesAreCalledAgainAsTheirPolicySays() async throws {
    let pond = Pond("retries")
    let attempts = Mutex<[Int]>([])
    pond.pebble("third", .retry(.attempts(3))) {
      let attempt = PebbleContext.current?.attempt ?? 0
      attempts.withLock { $0.append(attempt) }
      if attempt < 3 { throw Failing() }
    }
    pond.pebble("filtered", .retry(.attempts(6, only: { !($0 is Failing) }))) {
      throw Failing()
    }

    let run = try await withWorkers([pond]) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(attempts.withLock { $0 } == [1, 2, 3])
    #expect(run.pebbles[0].outcome == .succeeded)
    #expect(run.pebbles[0].attempts.count == 2)
    #expect(run.pebbles[1].outcome == .failed("it was to fail"))
    #expect(run.pebbles[1].attempts.count == 1)
  }

  @Test func cancellingReachesTheBody() async throws {
    let pond = Pond("cancelled")
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let isCancelled = Mutex(false)
    let slow = pond.pebble("slow") {
      begin.yield()
      do {
        try await Task.sleep(for: .seconds(3_600))
      } catch {
        isCancelled.withLock { $0 = true }
        throw error
      }
    }
    pond.pebble("after", when: slow.settled) {}

    let run = try await withWorkers([pond]) { [id] temporal, options in
      var options = options
      options.heartbeat = .seconds(1)
      let run = try await pond.start(on: temporal, id: id, options)
      for await _ in started { break }
      #expect(try await run.status().running == ["slow"])
      try await run.cancel()
      return try await run.report()
    }

    #expect(isCancelled.withLock { $0 })
    #expect(run.pebbles[1].outcome == .skipped(.cancelled))
    #expect(run.cancellation?.isOrderly == true)
  }

  @Test func aDeadlineEndsARun() async throws {
    let pond = Pond("late")
    pond.pebble("slow") { try await Task.sleep(for: .seconds(3_600)) }

    let run = try await withWorkers([pond]) { [id] temporal, options in
      var options = options
      options.heartbeat = .seconds(1)
      options.within = .seconds(1)
      return try await pond.run(on: temporal, id: id, options)
    }

    #expect(run.cancellation != nil)
    #expect(try run.exitCode == 1)
  }

  @Test func whatIsTooLargeFailsItsPebbleWithASentence() async throws {
    let pond = Pond("large")
    let large = pond.pebble("large") { String(repeating: "x", count: 3_000_000) }
    pond.pebble("after", needs: large.result) { result in
      if case .success = result { throw Failing() }
    }

    let run = try await withWorkers([pond]) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(run.pebbles[0].outcome.text?.contains("its output has 3000002 bytes") == true)
    #expect(run.pebbles[1].outcome == .succeeded)
  }

  /// Checks a report that is too large to be stored, because it contains each name twice, and most
  /// names have about a thousand letters.
  @Test func aReportThatIsTooLargeIsReadFromTheHistory() async throws {
    let pond = Pond("talkative")
    let letters = String(repeating: "x", count: 990)
    let load = pond.pebble("load") { 7 }
    for number in 0..<1_100 { pond.pebble("\(number) \(letters)", when: load.failed) {} }

    let run = try await withWorkers([pond]) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(run.json().utf8.count > RunSettings.usualLargestPayload)
    #expect(run.succeeded(load))
    #expect(run.pebbles.dropFirst().allSatisfy { $0.outcome.isSkipped })
  }

  /// Checks the limit on concurrent bodies. The server sends some calls immediately, in its
  /// response to the decision that schedules them.
  @Test func noMoreBodiesAreCalledAtATimeThanThereAreSlots() async throws {
    let pond = Pond("slots")
    let calls = Mutex((now: 0, most: 0))
    for number in 0..<60 {
      pond.pebble("\(number)") {
        calls.withLock { calls in
          calls.now += 1
          calls.most = max(calls.most, calls.now)
        }
        await Task.yield()
        calls.withLock { $0.now -= 1 }
      }
    }

    let run = try await withWorkers([pond], slots: 3) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(run.isAllSucceeded)
    #expect(calls.withLock(\.most) <= 3)
  }

  /// A barrier that no participant passes before all participants have arrived.
  private final class Meeting: Sendable {
    private let count: Int
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(of count: Int) {
      self.count = count
    }

    func join() async {
      await withCheckedContinuation { continuation in
        let all = waiting.withLock { waiting in
          waiting.append(continuation)
          return waiting.count == count ? waiting : []
        }
        for continuation in all { continuation.resume() }
      }
    }
  }

  /// Checks that more than a hundred clients can wait at the same time, although HTTP/2 allows only
  /// a hundred concurrent calls on a connection. No run ends before all runs have begun.
  @Test func moreRunsAreWaitedForThanAConnectionTakesCalls() async throws {
    let count = 130
    let meeting = Meeting(of: count)
    let pond = Pond("crowd")
    pond.pebble("meet") { await meeting.join() }

    let ended = try await withWorkers([pond], slots: count) { [id] temporal, options in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<count {
          group.addTask {
            try await pond.run(on: temporal, id: "\(id)-\(number)", options).isAllSucceeded
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
    }

    #expect(ended == count)
  }

  @Test func aRunOfAnotherPondIsNotJoined() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (trip, order) = (Pond("trip"), Pond("order"))
    trip.pebble("book") { for await _ in gate {} }
    order.pebble("pay") {}

    try await withWorkers([trip, order]) { [id] temporal, options in
      let run = try await trip.start(on: temporal, id: id, options)
      let error = await #expect(throws: TemporalError.self) {
        try await order.start(on: temporal, id: id, options)
      }
      #expect(error?.description.contains("a run of the pond \"trip\" already") == true)
      #expect(try await !trip.start(on: temporal, id: id, options).isNew)
      open.finish()
      #expect(try await run.report().isAllSucceeded)
      #expect(throws: TemporalError.self) { try TemporalWorker(temporal, ponds: [], slots: 0) }
    }
  }

  @Test func aNamespaceThatIsNotThereIsNamed() async throws {
    let address = try await TemporalServer.shared.address()
    var options = Temporal.Options()
    options.namespace = "nowhere"

    await #expect(throws: TemporalError.self) {
      try await Temporal.connected(to: address, options) { temporal in
        try await TemporalWorker(temporal, ponds: []).run()
      }
    }
  }

  @Test func aRunThatIsNotThereIsNamed() async throws {
    let address = try await TemporalServer.shared.address()

    await #expect(throws: TemporalError.self) {
      try await Temporal.connected(to: address) { [id] temporal in
        _ = try await TemporalRun(temporal, id: id).report()
      }
    }
  }

  @Test func manyIndependentPebblesRunOnTwoWorkers() async throws {
    let pond = Pond("wide")
    for number in 0..<DurableRunTests.independent { pond.pebble("\(number)") { number } }

    let run = try await withWorkers([pond], count: 2, slots: 50) { [id] temporal, options in
      try await pond.run(on: temporal, id: id, options)
    }

    #expect(run.pebbles.allSatisfy { $0.outcome == .succeeded })
  }

  /// Checks that durable runs of random ponds have the same outcomes as local runs.
  @Test(arguments: 0..<5) func randomPondsAgreeWithLocalRuns(shard: UInt64) async throws {
    let count = DurableRunTests.pondsPerShard
    let ponds = (0..<count).map { randomPond(seed: 50_000 + shard * 10_000 + UInt64($0)) }
    let runs = try await withWorkers(ponds, count: 2) { [id] temporal, options in
      try await withThrowingTaskGroup(of: (Int, RecordedRun).self) { group in
        for (number, pond) in ponds.enumerated() {
          group.addTask {
            (number, try await pond.run(on: temporal, id: "\(id)-\(number)", options))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
    }

    for (number, pond) in ponds.enumerated() {
      let expected = try await pond.run().recorded()
      let run = try #require(runs[number])
      // What a policy cancels depends on what ran at that moment, also in local runs.
      if run.cancellation == nil, expected.cancellation == nil {
        #expect(
          run.pebbles.map(\.outcome.word) == expected.pebbles.map(\.outcome.word), "\(pond)")
        #expect(run.pebbles.map(\.cases) == expected.pebbles.map(\.cases), "\(pond)")
        #expect(try run.isGoalReached == expected.isGoalReached, "\(pond)")
      } else {
        #expect((run.cancellation == nil) == (expected.cancellation == nil))
      }
    }
  }

  /// The number of independent pebbles. It can be set with the environment variable
  /// `INDEPENDENT_PEBBLES`.
  private static let independent =
    ProcessInfo.processInfo.environment["INDEPENDENT_PEBBLES"].flatMap { Int($0) } ?? 1_000

  /// The number of random ponds in each shard. The total number can be set with the environment
  /// variable `RANDOM_PONDS`.
  private static let pondsPerShard =
    (ProcessInfo.processInfo.environment["RANDOM_PONDS"].flatMap { Int($0) } ?? 50) / 5
}

extension RecordedOutcome {
  /// The message of the error; `nil` if the outcome is not a failure.
  var text: String? { if case .failed(let text) = self { text } else { nil } }
}
