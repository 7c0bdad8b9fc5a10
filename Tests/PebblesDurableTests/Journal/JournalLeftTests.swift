import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of the state that one process leaves to the next.
@Suite(.watched) struct JournalLeftTests {
  private let calls = Logbook<String>()

  /// Checks that a service that is stopped because its process ends is not considered ended.
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

  /// Checks that kept pebbles are torn down if the run was cancelled, because no other process
  /// continues it.
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

  /// Checks that teardowns that an earlier process began are finished, and not left to another
  /// process.
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

  /// Checks that pebbles with runs inside them are kept, although the inner runs end with the
  /// process.
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

  /// Checks a deleted journal, without which no other process can find what is still up.
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

  /// Checks a changed journal, which the next process refuses.
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

  /// Checks outputs that cannot be kept, whether they were created for the first time or again.
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

  /// Checks a large output, after the limit on the size of outputs in the journal has been raised.
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

  /// Checks that the failure policy is asked about an error that a body throws in the next process,
  /// even if it was asked about the cancellation of that body in the earlier process.
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

  /// Checks that cases are evaluated once. Their values are written to the journal before anything
  /// depends on them.
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
