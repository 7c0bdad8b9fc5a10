import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that the time during which no process runs counts as elapsed.
@Suite(.watched) struct JournalTimeTests {
  @Test(arguments: [(4, 6), (0, 10), (-100, 10), (9, 1)] as [(Int64, Int64)])
  func aBackoffGoesOnForTheRestOfIt(deadFor dead: Int64, rest: Int64) async throws {
    let left = try await Self.runThatDiesInItsBackoff()
    let (clock, retried) = (AlarmClock(), Retried())

    let run = try await retried.pond.start(
      journal: .at(left, seconds: 1_000 + dead), clock: clock)
    await clock.asleep(1)
    #expect(retried.attempts.entries == [])
    clock.advance(by: .seconds(rest))
    let report = try await run.report

    #expect(clock.sleeps.entries == [.seconds(rest)])
    #expect(retried.attempts.entries == [2])
    #expect(report.record(named: "work")?.attempts.count == 2)
    #expect(report.record(named: "work")?.attempts.first?.error is RecordedError)
    #expect(report[retried.work] == 2)
  }

  @Test func aBackoffThatIsOverBeforeTheNextProcessIsNotWaitedFor() async throws {
    let left = try await Self.runThatDiesInItsBackoff()
    let (clock, retried) = (AlarmClock(), Retried())

    let report = try await retried.pond.run(journal: .at(left, seconds: 2_000), clock: clock)

    #expect(clock.sleeps.entries == [])
    #expect(report[retried.work] == 2)
    #expect(report.record(named: "work")?.finished == .seconds(1_000))
    #expect(report.makespan == .seconds(1_000))
  }

  @Test func whatIsReadSaysWhenTheFirstProcessHasBegun() async throws {
    let left = try await Self.runThatDiesInItsBackoff()
    let retried = Retried()
    _ = try await retried.pond.run(journal: .at(left, seconds: 2_000), clock: AlarmClock())

    #expect(try RecordedRun(journalAt: left.path).origin?.started == .seconds(1_000))
  }

  @Test func theTimeLimitCountsFromTheFirstStart() async throws {
    let left = try await Self.runThatDiesInItsBackoff(within: .seconds(60))
    let (clock, retried) = (AlarmClock(), Retried(hangs: true))

    let run = try await retried.pond.start(
      journal: .at(left, seconds: 1_050), clock: clock, within: .seconds(60))
    try await until { retried.attempts.count == 1 }
    await clock.asleep(1)
    clock.advance(by: .seconds(9))
    #expect(run.status.elapsed == .seconds(59))
    clock.advance(by: .seconds(1))
    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.makespan == .seconds(60))
  }

  @Test func theTimeLimitEndsABackoffThatGoesOn() async throws {
    let left = try await Self.runThatDiesInItsBackoff(within: .seconds(5))
    let (clock, retried) = (AlarmClock(), Retried())

    let run = try await retried.pond.start(
      journal: .at(left, seconds: 1_002), clock: clock, within: .seconds(5))
    await clock.asleep(1)
    try #require(clock.sleeps.entries == [.seconds(3)])
    clock.advance(by: .seconds(3))
    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.makespan == .seconds(5))
    #expect(retried.attempts.entries == [])
  }

  @Test func aTimeLimitThatIsOverBeforeTheNextProcessStartsNothing() async throws {
    let left = try await Self.runThatDiesInItsBackoff(within: .seconds(60))
    let (clock, retried) = (AlarmClock(), Retried())

    let report = try await retried.pond.run(
      journal: .at(left, seconds: 1_100), clock: clock, within: .seconds(60))

    #expect(report.cancellation == .deadlinePassed)
    #expect(retried.attempts.entries == [])
  }

  /// Checks that the time limit no longer applies once a run has ended, regardless of how long no
  /// process runs.
  @Test func theTimeLimitDoesNotCountAnyMoreOnceTheRunHasEnded() async throws {
    func pond(delay: Duration?, _ clock: AlarmClock) -> Pond {
      let pond = Pond("served")
      pond.service("server") { ready in
        if let delay {
          try await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
        }
        ready()
        await ready.stopRequested()
      }
      return pond
    }
    let (file, first, second) = (try JournalFile(), AlarmClock(), AlarmClock())
    let run = try await pond(delay: nil, first).start(
      journal: .at(file, seconds: 1_000), clock: first, within: .seconds(60))
    _ = try await run.report
    let left = try await run.dies(with: file)

    let next = try await pond(delay: .seconds(1), second).start(
      journal: .at(left, seconds: 2_000), clock: second, within: .seconds(60))
    await second.asleep(1)
    second.advance(by: .seconds(1))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(second.sleeps.entries == [.seconds(1)])
    #expect(report.cancellation == nil)
    #expect(report.record(named: "server")?.restartCount == 1)
    #expect(report.exitCode == 0)
  }

  @Test func severalDeathsAddUp() async throws {
    var left = try await Self.runThatDiesInItsBackoff()
    for (seconds, rest) in [(1_003, 7), (1_002, 7), (1_005, 4)] as [(Int64, Int64)] {
      let (clock, retried) = (AlarmClock(), Retried())
      let run = try await retried.pond.start(journal: .at(left, seconds: seconds), clock: clock)
      await clock.asleep(1)
      #expect(clock.sleeps.entries == [.seconds(rest)])
      left = try await run.dies(with: left)
    }
  }

  @Test func timesAreThoseSinceTheFirstStart() async throws {
    let file = try JournalFile()
    let (clock, gate) = (AlarmClock(), Gate())
    let pond = Pond("times")
    let first = pond.pebble("first") { clock.advance(by: .seconds(2)) }
    let second = pond.pebble("second", when: first.succeeded) { await gate.passed() }
    let run = try await pond.start(journal: .at(file, seconds: 1_000), clock: clock)
    try await until { (try? file.text.words.contains("called second 1")) == true }
    let bytes = try file.bytes
    gate.open()
    _ = try await run.report
    try file.folder.write(bytes, to: "left")

    let later = AlarmClock()
    let again = try await pond.run(
      journal: Journal(at: file.folder.file("left"), wallClock: { 1_010_000_000_000 }), clock: later
    )

    #expect(again.identifier == run.identifier)
    #expect(again.record(of: first)?.started == .zero)
    #expect(again.record(of: first)?.finished == .seconds(2))
    #expect(again.record(of: second)?.ready == .seconds(2))
    #expect(again.record(of: second)?.started == .seconds(10))
    #expect(again.makespan == .seconds(10))
  }

  /// A pond with a pebble whose first attempt fails, and which waits for ten seconds before its
  /// second attempt.
  private struct Retried {
    let pond = Pond("retried")
    let attempts = Logbook<Int>()
    let work: Pebble<Int>

    init(hangs: Bool = false) {
      let attempts = attempts
      work = pond.pebble(
        "work", .retry(.backoff(attempts: 3, initial: .seconds(10), jitter: .none))
      ) {
        let attempt = PebbleContext.current?.attempt ?? 0
        attempts.note(attempt)
        if hangs { try await untilCancelled() }
        if attempt == 1 { throw Breakdown() }
        return attempt
      }
    }
  }

  private static func runThatDiesInItsBackoff(
    within limit: Duration? = nil
  ) async throws -> JournalFile {
    let file = try JournalFile()
    let (clock, retried) = (AlarmClock(), Retried())
    let run = try await retried.pond.start(
      journal: .at(file, seconds: 1_000), clock: clock, within: limit)
    try await until { (try? file.text.words.contains("failed work")) == true }
    return try await run.dies(with: file)
  }
}
