import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of bodies that die together with their process.
@Suite(.watched) struct JournalCrashTests {
  @Test func aCrashIsNoAttempt() async throws {
    let left = try await Self.journal(after: 3, .retry(.attempts(2)))
    let crashing = Crashing(.retry(.attempts(2))) { _ in throw Breakdown() }

    let report = try await crashing.pond.run(journal: Journal(at: left.path))

    #expect(crashing.attempts.entries == [1, 2])
    #expect(report.record(of: crashing.work)?.attempts.count == 2)
  }

  @Test func afterFourCrashesABodyIsCalledOnceMore() async throws {
    let left = try await Self.journal(after: 4)
    let crashing = Crashing()

    let report = try await crashing.pond.run(journal: Journal(at: left.path))

    #expect(crashing.attempts.entries == [1])
    #expect(report.outcomeWords == ["work succeeded", "rescue skipped"])
  }

  @Test func afterFiveCrashesAPebbleFails() async throws {
    let left = try await Self.journal(after: 5)
    let crashing = Crashing()

    let report = try await crashing.pond.run(journal: Journal(at: left.path))

    #expect(crashing.attempts.entries == [])
    guard case .failed(let error as PebbleCrash) = report.outcome(of: crashing.work) else {
      Issue.record("\(report)")
      return
    }
    #expect(error.count == 5)
    #expect(
      "\(error)" == "it crashed: its body was called in 5 processes, and each died before it ended")
    #expect(report.outcomeWords == ["work failed", "rescue succeeded"])
  }

  @Test func aFailedAttemptEndsTheCountOfCrashes() async throws {
    let left = try await Self.journal(after: 4, .retry(.attempts(9)))
    let crashing = Crashing(.retry(.attempts(9))) { attempt in
      if attempt == 1 { throw Breakdown() }
      try await untilCancelled()
    }
    let run = try await crashing.pond.start(journal: Journal(at: left.path))
    try await until { crashing.attempts.count == 2 }
    let next = try await run.dies(with: left)

    let progress = try Self.progress(of: crashing, next)
    #expect(progress.unfinished[0]?.crashes == 1)
    #expect(progress.unfinished[0]?.attempts.count == 1)
  }

  @Test func theAttemptsBeforeTheCrashesAreInTheRecord() async throws {
    var left = try JournalFile()
    for _ in 1...5 {
      let crashing = Crashing(.retry(.attempts(9))) { attempt in
        if attempt < 3 { throw Breakdown() }
        try await untilCancelled()
      }
      let run = try await crashing.pond.start(journal: Journal(at: left.path))
      try await until { crashing.attempts.entries.contains(3) }
      left = try await run.dies(with: left)
    }
    let crashing = Crashing(.retry(.attempts(9)))

    let report = try await crashing.pond.run(journal: Journal(at: left.path))

    #expect(crashing.attempts.entries == [])
    #expect(report.outcome(of: crashing.work).error is PebbleCrash)
    #expect(report.record(of: crashing.work)?.attempts.count == 2)
  }

  /// Checks that a body that is stopped with its process is not counted as a crash, because the
  /// process ended in an orderly way.
  @Test func aBodyThatIsStoppedWithItsProcessHasNotCrashed() async throws {
    let file = try JournalFile()
    for _ in 1...5 {
      let stopped = Crashing(.retry(.attempts(2))) { attempt in
        if attempt == 1 { throw Breakdown() }
        try await untilCancelled()
      }
      let process = Task { try await stopped.pond.run(journal: Journal(at: file.path)) }
      try await until { stopped.attempts.entries.contains(2) }
      process.cancel()
      _ = try await process.value
    }
    let run = try RecordedRun(journalAt: file.path)
    let crashing = Crashing(.retry(.attempts(2)))

    let report = try await crashing.pond.run(journal: Journal(at: file.path))

    #expect(run.unended?[0]?.hasPrefix("had failed once") == true)
    #expect(crashing.attempts.entries == [2])
    #expect(report.record(of: crashing.work)?.attempts.count == 2)
    #expect(report.outcomeWords == ["work succeeded", "rescue skipped"])
  }

  @Test func theIdempotencyKeyStaysTheSame() async throws {
    let file = try JournalFile()
    let keys = Logbook<String>()
    let pond = Pond("keys")
    pond.pebble("work") {
      keys.note(PebbleContext.current?.idempotencyKey ?? "")
      if keys.count < 3 { try await untilCancelled() }
    }
    var left = file
    for count in 1...2 {
      let run = try await pond.start(journal: Journal(at: left.path))
      try await until { keys.count == count }
      left = try await run.dies(with: left)
    }
    _ = try await pond.run(journal: Journal(at: left.path))

    #expect(keys.count == 3 && Set(keys.entries).count == 1)
  }

  /// A pond whose first body records its attempts and then calls a closure.
  private struct Crashing {
    let pond = Pond("crashing")
    let attempts = Logbook<Int>()
    let work: Pebble<Void>

    init(
      _ trait: PebbleTrait = .traits(),
      body: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) {
      let attempts = attempts
      work = pond.pebble("work", trait) {
        let attempt = PebbleContext.current?.attempt ?? 0
        attempts.note(attempt)
        try await body(attempt)
      }
      pond.pebble("rescue", when: work.failed) {}
    }
  }

  /// Returns the journal that is left after the given number of processes have died while the first
  /// body was running.
  private static func journal(
    after deaths: Int, _ trait: PebbleTrait = .traits()
  ) async throws -> JournalFile {
    var left = try JournalFile()
    for _ in 0..<deaths {
      let crashing = Crashing(trait) { _ in try await untilCancelled() }
      let run = try await crashing.pond.start(journal: Journal(at: left.path))
      try await until { crashing.attempts.count == 1 }
      left = try await run.dies(with: left)
    }
    return left
  }

  private static func progress(
    of crashing: Crashing, _ file: JournalFile
  ) throws -> RunProgress {
    var known = JournalProgress(of: crashing.pond.program().pond, nil)
    for (entry, payload) in try file.text.entries { try known.add(entry, payload) }
    return known.progress
  }
}
