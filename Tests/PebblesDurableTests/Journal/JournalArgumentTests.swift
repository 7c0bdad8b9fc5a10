import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of the other arguments of runs with a journal.
@Suite(.watched) struct JournalArgumentTests {
  private let pond = Pond("asked", maxConcurrent: 1)
  private let calls = Logbook<String>()

  /// A signal for which no other test of this process waits.
  private static let signals = [Signal(rawValue: SIGPROF)]

  @Test func aLimitOfNoTimeIsRefusedBeforeAnythingBegins() async throws {
    let (file, pond) = (try JournalFile(), pond)
    pond.pebble("work") { [calls] in
      calls.note("work")
      // Otherwise, a run that began all the same would wait for a signal.
      throw Breakdown()
    }
    let (journal, signals) = (Journal(at: file.path), Self.signals)
    let asked: [@Sendable () async throws -> Void] = [
      { _ = try await pond.run(journal: journal, within: .zero) },
      { _ = try await pond.run(journal: journal, shutdownWithin: .zero) },
      { _ = try await pond.start(journal: journal, within: .zero) },
      { _ = try await pond.run(untilSignal: signals, journal: journal, within: .zero) },
      { _ = try await pond.run(untilSignal: signals, journal: journal, shutdownWithin: .zero) },
    ]

    for (place, ask) in asked.enumerated() {
      await #expect(throws: PondError.self, "\(place)") { try await ask() }
    }
    #expect(calls.entries == [])
    #expect(try file.folder.names == [])
  }

  @Test func aTeardownThatIsTooLateIsGivenUp() async throws {
    let (file, clock, gate) = (try JournalFile(), AlarmClock(), Gate())
    pond.pebble("opens", teardown: { await gate.passed() }) {}

    async let ended = pond.run(
      journal: Journal(at: file.path), clock: clock, shutdownWithin: .seconds(5))
    defer { gate.open() }
    try await until { clock.sleeps.count > 0 }
    clock.advance(by: .seconds(5))
    let report = try await ended

    #expect(report.shutdown?.failures.map(\.pebble) == ["opens"])
  }

  @Test func onlyWhatIsAskedForRunsUntilASignal() async throws {
    let file = try JournalFile()
    let first = pond.pebble("first") { [calls] in
      calls.note("first")
      throw Breakdown()
    }
    pond.pebble("second") { [calls] in calls.note("second") }

    // It has failed, and there is nothing to tear down, so it does not wait.
    let report = try await pond.run(
      untilSignal: Self.signals, journal: Journal(at: file.path), only: [first])

    #expect(report.outcomeWords == ["first failed", "second skipped"])
    #expect(calls.entries == ["first"])
    #expect(try file.text.words.first { $0.hasPrefix("only") } == "only first")
  }

  @Test func aDetachedRunIsNotTornDownWithTheBodyThatStartsIt() async throws {
    let (file, inner) = (try JournalFile(), Pond("inner"))
    inner.pebble("opens", teardown: { [calls] in calls.note("close") }) {}
    let starts = pond.pebble("starts") {
      try await inner.start(journal: Journal(at: file.path), detached: true)
    }
    let run = try pond.start()
    let innerRun = try #require(try await run.report[starts])
    _ = try await innerRun.report

    try await run.shutdown().check()

    #expect(calls.entries == [])
    #expect(try !file.text.isOver)
    try await innerRun.shutdown().check()
    #expect(calls.entries == ["close"])
    #expect(try file.text.isOver)
  }

  @Test(arguments: [false, true])
  func anEarlierReportAndAGrantCountWithAJournalToo(isAwaited: Bool) async throws {
    let (file, clock, grant) = (try JournalFile(), AlarmClock(), Granted())
    for (name, seconds) in [("short", 1), ("long", 9)] {
      pond.pebble(name) { [calls] in
        calls.note(name)
        clock.advance(by: .seconds(seconds))
      }
    }
    let (first, journal) = (try await pond.run(clock: clock), Journal(at: file.path))

    if isAwaited {
      _ = try await pond.run(journal: journal, clock: clock, learningFrom: first, holding: grant)
    } else {
      let run = try await pond.start(
        journal: journal, clock: clock, learningFrom: first, holding: grant)
      _ = try await run.report
      try await run.shutdown().check()
    }

    #expect(calls.entries == ["short", "long", "long", "short"])
    try await until { grant.notes.count == 2 }
    #expect(grant.notes.entries == ["asked", "end 7"])
  }
}

/// A background grant that is never refused.
private struct Granted: BackgroundGrant {
  let notes = Logbook<String>()

  func begin(named name: String, expired: @escaping @Sendable () -> Void) async -> Int? {
    notes.note(name)
    return 7
  }

  func end(_ token: Int) { notes.note("end \(token)") }
}
