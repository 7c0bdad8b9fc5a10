import PebblesTestSupport
import Testing

@testable import Pebbles
@testable import PebblesDurable

/// Tests of the threads for blocking bodies that an earlier process has called.
@Suite(.watched) struct JournalThreadTests {
  private let threads = BlockingThreads(limit: 1, most: 1)

  private var heldCount: Int { threads.withAdmission(\.heldCount) }

  /// Checks that a body that has crashed too often releases its thread. It is given a thread before
  /// it turns out that it will not be called.
  @Test func theThreadOfABodyThatHasCrashedTooOftenGoesBack() async throws {
    var left = try JournalFile()
    for count in 1...6 {
      let calls = Logbook<Int>()
      let pond = Pond("crashing")
      let work = pond.pebble("work", .blocking) {
        calls.note(count)
        try await untilCancelled()
      }
      let file = left
      left = try await BlockingThreads.$shared.withValue(count == 6 ? threads : .shared) {
        let run = try await pond.start(journal: Journal(at: file.path))
        if count == 6 {
          #expect(try await run.report.outcome(of: work).error is PebbleCrash)
        } else {
          try await until { calls.count == 1 }
        }
        return try await run.dies(with: file)
      }
    }

    #expect(heldCount == 0)
  }

  /// Checks that a body whose backoff has ended by the time it obtains a thread keeps that thread.
  /// Otherwise, it would have to wait behind others for another thread.
  @Test func aBodyWhoseBackoffIsJustOverKeepsItsThread() async throws {
    let (file, clock, waiting) = (try JournalFile(), AlarmClock(), Logbook<Int>())
    let pond = Pond("retried")
    let retry = RetryPolicy.backoff(attempts: 2, initial: .seconds(10), jitter: .none)
    pond.pebble("work", .blocking, .priority(1), .retry(retry)) { [threads] in
      waiting.note(threads.waitingCount)
      if PebbleContext.current?.attempt == 1 { throw Breakdown() }
    }
    let run = try await pond.start(journal: .at(file, seconds: 1_000), clock: clock)
    await clock.asleep(1)
    let left = try await run.dies(with: file)
    let other = RunIdentifier()
    for _ in 0...1 {
      threads.changeAdmission { $0.add(run: other, priority: 0, Promise()).replies }
    }

    try await BlockingThreads.$shared.withValue(threads) {
      let next = try await pond.start(journal: .at(left, seconds: 1_010), clock: AlarmClock())
      try await until { threads.waitingCount == 2 }
      threads.changeAdmission { $0.returned(by: other) }
      #expect(try await next.report.isAllSucceeded)
    }

    // The other one waits all the time.
    #expect(waiting.entries == [0, 1])
  }

  @Test(arguments: [false, true])
  func whatIsMadeAgainHasAThreadIfItBlocksOne(isBlocking: Bool) async throws {
    let file = try JournalFile()
    let (pond, held, readers) = (Pond("lossy"), Logbook<Int>(), Attempts(failing: 0))
    let handle = pond.pebble("handle", isBlocking ? .blocking : .traits()) { [threads] in
      held.note(threads.withAdmission(\.heldCount))
      return NightlyPond.Handle()
    }
    pond.pebble("reader", needs: handle) { _ in
      if try readers.next() == 1 { try await untilCancelled() }
    }

    try await BlockingThreads.$shared.withValue(threads) {
      let run = try await pond.start(journal: Journal(at: file.path))
      try await until { readers.count == 1 }
      let left = try await run.dies(with: file)
      let report = try await pond.run(journal: Journal(at: left.path))
      #expect(report.isAllSucceeded)
    }

    #expect(held.entries == (isBlocking ? [1, 1] : [0, 0]))
    #expect(heldCount == 0)
  }

  /// Checks that a body without a thread is not called once the deadline has passed. Either a body
  /// produces its output again, or the body that needs the output has released its thread
  /// meanwhile.
  @Test(arguments: ["handle", "reader"])
  func aBodyThatHasNoThreadWhenTheTimeIsOverIsNotCalled(blocking: String) async throws {
    let (file, clock, calls) = (try JournalFile(), AlarmClock(), Logbook<String>())
    let takesThread: @Sendable () -> Void = { [threads] in
      threads.changeAdmission { $0.add(run: RunIdentifier(), priority: 0, Promise()).replies }
    }
    let pond = Pond("lossy")
    let handle = pond.pebble("handle", blocking == "handle" ? .blocking : .traits()) {
      calls.note("handle")
      if calls.count == 3 { takesThread() }
      return NightlyPond.Handle()
    }
    pond.pebble("reader", blocking == "reader" ? .blocking : .traits(), needs: handle) { _ in
      calls.note("reader")
      try await untilCancelled()
    }
    let run = try await pond.start(journal: .at(file, seconds: 1_000), clock: AlarmClock())
    try await until { calls.count == 2 }
    let left = try await run.dies(with: file)
    if blocking == "handle" { takesThread() }

    let report = try await BlockingThreads.$shared.withValue(threads) {
      let next = try await pond.start(
        journal: .at(left, seconds: 1_000), clock: clock, within: .seconds(5))
      try await until { threads.waitingCount == 1 }
      clock.advance(by: .seconds(5))
      return try await next.report
    }

    #expect(report.cancellation == .deadlinePassed)
    #expect(calls.count == (blocking == "handle" ? 2 : 3))
    #expect(try left.text.words.filter { $0 == "called \(blocking) 1" }.count == 1)
    #expect(heldCount == 1)
  }
}
