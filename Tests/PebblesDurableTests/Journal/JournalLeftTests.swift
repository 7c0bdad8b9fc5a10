import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of the state that one process leaves to the next.
@Suite(.watched) struct JournalLeftTests {
  private let calls = Logbook<String>()

  /// Checks that a service that was stopped because its process was ending is started again. This
  /// does not count as an end of the service.
  @Test func aServiceThatWasStoppedWithItsProcessIsStartedAnew() async throws {
    let (file, pond) = (try JournalFile(), Pond("left"))
    let server = pond.service("server") { [calls] ready in
      calls.note("server")
      ready()
      await ready.stopRequested()
    }
    pond.pebble("work", when: server.succeeded) { [calls] in
      calls.note("work")
      if calls.count == 2 { try await untilCancelled() }
    }
    let process = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 2 }
    process.cancel()
    _ = try await process.value

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(calls.entries == ["server", "work", "server", "work"])
  }

  @Test func aServiceThatDoesNotComeUpAnewIsStopped() async throws {
    let (file, pond, stops) = (try JournalFile(), Pond("hanging"), Gate())
    let server: Pebble<Int> = pond.service("server") { [calls] ready in
      calls.note("server")
      if calls.count > 1 {
        try? await untilCancelled()
        return stops.open()
      }
      ready(1)
      await ready.stopRequested()
    }
    pond.pebble("work", needs: server) { [calls] _ in
      calls.note("work")
      try await untilCancelled()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 2 }
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    try await until { calls.count == 3 }
    let shutdown = try await next.shutdown()

    #expect(stops.isOpen)
    #expect(shutdown.records.map(\.pebble) == ["server"])
  }

  /// Checks that kept outputs are torn down if the run was cancelled before its process is asked to
  /// end, because no other process will continue the run.
  @Test func whatIsKeptIsTornDownIfTheRunWasCancelledBeforeItsProcessIsToEnd() async throws {
    let (file, pond, gate) = (try JournalFile(), Pond("cancelled"), Gate())
    let open = pond.pebble("open", teardown: { [calls] _ in calls.note("closes") }) { 3 }
    pond.pebble("work", needs: open) { [calls] _ in
      PebbleContext.current?.run?.cancel()
      calls.note("work")
      await gate.passed()
    }
    let process = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 1 }
    process.cancel()
    gate.open()
    _ = try await process.value

    #expect(calls.entries == ["work", "closes"])
    #expect(try file.text.isOver)
  }

  /// Checks that a process that is asked to end at once completes a teardown that an earlier
  /// process began, and does not leave it to a third one.
  @Test(arguments: ["cancelled", "stopping"])
  func whatIsToBeTornDownIsSoIfTheNextProcessIsToEndAtOnce(after word: String) async throws {
    let (file, pond) = (try JournalFile(), Pond("ending"))
    let open = pond.pebble("open", teardown: { [calls] _ in calls.note("closes") }) { 3 }
    pond.pebble("work", needs: open) { _ in
      guard word == "cancelled" else { return }
      PebbleContext.current?.run?.cancel()
      try await untilCancelled()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    _ = try await run.shutdown()
    let left = try JournalFile(try file.bytes(through: word))

    let process = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await pond.run(journal: Journal(at: left.path))
    }
    let report = try await process.value

    let reason: RunCancellation? = word == "cancelled" ? .requested : nil
    #expect(report.cancellation == reason)
    #expect(calls.entries == ["closes", "closes"])
    #expect(try left.text.isOver)
  }

  /// Checks that a kept output stays up when its process ends, even though the runs inside its
  /// pebble are shut down with the process.
  @Test func whatIsKeptIsNotTornDownForTheRunsInsideOfIt() async throws {
    let (file, pond, inner) = (try JournalFile(), Pond("outer"), Pond("inner"))
    inner.service("server", teardown: { [calls] in calls.note("stops") }) { ready in
      ready()
      await ready.stopRequested()
    }
    let open = pond.pebble("open", teardown: { [calls] _ in calls.note("closes") }) {
      _ = try await inner.start().report
      return 3
    }
    pond.pebble("work", needs: open) { [calls] _ in
      calls.note("work")
      if calls.count == 1 { try await untilCancelled() }
    }
    let process = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 1 }
    process.cancel()
    _ = try await process.value
    #expect(calls.entries == ["work", "stops"])

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(calls.entries == ["work", "stops", "work", "closes"])
  }

  /// Checks that everything is torn down if the journal was deleted, because no other process could
  /// find what is up.
  @Test func aProcessThatEndsWithoutItsJournalLeavesNothingUp() async throws {
    let (file, pond) = (try JournalFile(), Pond("deleted"))
    let open = pond.pebble("open", teardown: { [calls] in calls.note("closes") }) {}
    pond.pebble("work", when: open.succeeded) { [calls] in
      calls.note("work")
      try await untilCancelled()
    }
    let process = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 1 }
    unlink(file.path)
    process.cancel()
    _ = try await process.value

    #expect(calls.entries == ["work", "closes"])
  }

  /// Checks that everything is torn down if the journal was changed by other code, because the next
  /// process will reject it.
  @Test func aProcessThatEndsWithAChangedJournalLeavesNothingUp() async throws {
    let (file, pond) = (try JournalFile(), Pond("changed"))
    let open = pond.pebble("open", teardown: { [calls] in calls.note("closes") }) {}
    pond.pebble("work", when: open.succeeded) { [calls] in
      calls.note("work")
      try await untilCancelled()
    }
    let process = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 1 }
    try file.write(try file.bytes + Array("more".utf8))
    process.cancel()
    _ = try await process.value

    #expect(calls.entries == ["work", "closes"])
  }

  /// Checks that an output that cannot be kept is torn down by the process that produced it, both
  /// the first time and when it is produced again.
  @Test func whatTheNextProcessCannotFindIsTornDownWhereItWasMade() async throws {
    let (file, pond, closed) = (try JournalFile(), Pond("lossy"), Logbook<String>())
    let handle = pond.pebble("handle", teardown: { _ in closed.note("handle") }) {
      NightlyPond.Handle()
    }
    let number = pond.pebble("number", teardown: { _ in closed.note("number") }) { 3 }
    pond.pebble("work", needs: handle, number) { [calls] _, _ in
      calls.note("work")
      if calls.count < 3 { try await untilCancelled() }
    }

    for count in 1...2 {
      let process = Task { try await pond.run(journal: Journal(at: file.path)) }
      try await until { calls.count == count }
      process.cancel()
      _ = try await process.value
      #expect(closed.entries == Array(repeating: "handle", count: count))
    }
    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(closed.entries.sorted() == ["handle", "handle", "handle", "number"])
  }

  /// Checks an output that is produced again after it was too large for the journal of the first
  /// process. The second process has a larger limit and keeps it, so the third one can take it
  /// over.
  @Test func whatIsMadeAgainAndKeptIsLeftToTheNextProcess() async throws {
    let (file, pond) = (try JournalFile(), Pond("large"))
    let large = pond.pebble("large", teardown: { [calls] _ in calls.note("closes") }) { [calls] in
      calls.note("large")
      return 1_000
    }
    pond.pebble("work", needs: large) { [calls] _ in
      calls.note("work")
      if calls.count < 6 { try await untilCancelled() }
    }

    for (limit, count) in [(1, 2), (100, 5)] {
      let process = Task {
        try await pond.run(journal: Journal(at: file.path, largestOutput: limit))
      }
      try await until { calls.count == count }
      process.cancel()
      _ = try await process.value
    }
    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(
      calls.entries == ["large", "work", "closes", "large", "work", "work", "closes"])
  }

  /// Checks that the failure policy is called again in the next process. Its answer for a body that
  /// was stopped with its process does not apply to an error that the body throws later.
  @Test func thePolicyIsAskedAboutWhatFailsInTheNextProcess() async throws {
    let file = try JournalFile()
    let pond = Pond("policy", onFailure: .custom { $0.error is Breakdown ? .cancelAll : .goOn })
    pond.pebble("work") { [calls] in
      calls.note("work")
      if calls.count == 1 { try await untilCancelled() }
      throw Breakdown()
    }
    let process = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 1 }
    process.cancel()
    _ = try await process.value

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(calls.count == 2)
    #expect(report.cancellation == .failure(of: "work"))
  }

  @Test func whatDiedWithAProcessIsNotTornDownByTheNext() async throws {
    let (file, pond) = (try JournalFile(), Pond("dead"))
    let handle = pond.pebble("handle", teardown: { [calls] _ in calls.note("closes") }) {
      NightlyPond.Handle()
    }
    let open = pond.pebble("open", teardown: { [calls] _ in calls.note("closes") }) { 7 }
    pond.pebble("work", when: handle.succeeded && open.succeeded) { [calls] in
      calls.note("work")
      if calls.count == 1 { try await untilCancelled() }
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 1 }
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    _ = try await next.report
    let shutdown = try await next.shutdown()

    #expect(shutdown.records.map(\.pebble) == ["open"])
  }

  /// Checks that a case is evaluated only once in a run with a journal. The answer is written to
  /// the journal before it has any effect.
  @Test func aCaseIsAskedOnce() async throws {
    let (file, pond) = (try JournalFile(), Pond("cases"))
    let flip = pond.pebble("flip") { 3 }
    let isOdd = flip.succeeded("odd") { [calls] number in
      calls.note("asked")
      return number % 2 == 1
    }
    pond.pebble("reads", when: isOdd) {}

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(calls.entries == ["asked"])
  }
}
