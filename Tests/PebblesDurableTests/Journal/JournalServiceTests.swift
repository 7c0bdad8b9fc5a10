import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Synchronization
import Testing

@testable import PebblesDurable

/// Tests that services, which end with their process, are started again by the next process.
@Suite(.watched) struct JournalServiceTests {
  @Test func aServiceIsStartedAnewAndWhatNeedsItWaitsForThat() async throws {
    let left = try await Self.deathOf(Served(reading: { _ in try await untilCancelled() }))
    let served = Served(number: 2)

    let run = try await served.pond.start(journal: Journal(at: left.path))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report.outcomeWords == ["database succeeded", "reader succeeded"])
    #expect(report[served.database] == 2)
    #expect(report[served.reader] == 2)
    #expect(served.events.entries == ["database 2", "reader 2", "close 2"])
    #expect(report.record(of: served.database)?.restartCount == 1)
    #expect(report.exitCode == 0)
  }

  /// Checks that a resuming run keeps a service that takes the output of another one, if both were
  /// started again: the service has already received the new output.
  @Test func aServiceThatTakesAnotherIsKeptByAResumingRunWhereBothWereStartedAnew() async throws {
    let (file, pond, calls) = (try JournalFile(), Pond("served"), Logbook<String>())
    let database: Pebble<Int> = pond.service("database") { ready in
      calls.note("database")
      ready(calls.count)
      await ready.stopRequested()
    }
    pond.service("web", needs: database) { ready, number in
      calls.note("web \(number)")
      ready()
      await ready.stopRequested()
    }
    let attempts = Attempts(failing: 1)
    pond.pebble("load") { _ = try attempts.next() }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)
    let next = try await pond.start(journal: Journal(at: left.path))
    _ = try await next.report

    let resumed = try await next.resumed()
    let report = try await resumed.report
    _ = try await resumed.shutdown()

    #expect(report.isAllSucceeded)
    #expect(calls.entries == ["database", "web 1", "database", "web 3"])
  }

  @Test func aServiceThatDoesNotComeUpAgainIsDown() async throws {
    let left = try await Self.deathOf(Served(reading: { _ in try await untilCancelled() }))
    let served = Served(number: 2, failing: 9)

    let run = try await served.pond.start(journal: Journal(at: left.path))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report.record(of: served.database)?.isServiceDown == true)
    #expect(report.outcome(of: served.database).isSucceeded)
    #expect(!report.outcomeWords.contains("reader succeeded"))
    #expect(report.exitCode != 0)
    #expect(served.events.entries == ["database 2"])
  }

  @Test func itsReadersFailWhereThatDoesNotEndTheRun() async throws {
    let left = try await Self.deathOf(
      Served(.ending(.ignore), reading: { _ in try await untilCancelled() }))
    let served = Served(number: 2, failing: 9, .ending(.ignore))

    let report = try await served.pond.run(journal: Journal(at: left.path))

    guard case .failed(let error) = report.outcome(of: served.reader) else {
      Issue.record("\(report)")
      return
    }
    #expect(error as? ServiceError == .staysDown)
    #expect(report.exitCode != 0)
  }

  @Test func itsRetryCountsWhenItIsStartedAnew() async throws {
    let left = try await Self.deathOf(
      Served(.retry(.attempts(3)), reading: { _ in try await untilCancelled() }))
    let served = Served(number: 2, failing: 2, .retry(.attempts(3)))

    let run = try await served.pond.start(journal: Journal(at: left.path))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report[served.reader] == 2)
    #expect(served.events.entries.prefix(3) == ["database 2", "database 2", "database 2"])
    #expect(report.exitCode == 0)
  }

  @Test func onceItIsUpItsRetryDoesNotCountAnyMore() async throws {
    let retry = PebbleTrait.retry(.attempts(3))
    let left = try await Self.deathOf(Served(retry, reading: { _ in try await untilCancelled() }))
    let served = Served(number: 2, failsAfterFirst: true, retry)

    let run = try await served.pond.start(journal: Journal(at: left.path))
    let report = try await run.reportAfterShutdown()

    #expect(report.record(of: served.database)?.isServiceDown == true)
    #expect(served.events.entries.filter { $0 == "database 2" }.count == 1)
  }

  @Test func onceItIsUpItIsCalledAgainAfterTheDelayOfARestart() async throws {
    let trait = PebbleTrait.traits(
      .retry(.attempts(3)),
      .ending(.restart(.backoff(attempts: 2, initial: .seconds(7), jitter: .none))))
    let left = try await Self.deathOf(Served(trait, reading: { _ in try await untilCancelled() }))
    let (clock, served) = (AlarmClock(), Served(number: 2, failsAfterFirst: true, trait))

    let run = try await served.pond.start(journal: Journal(at: left.path), clock: clock)
    try await until { clock.sleeps.entries.contains(.seconds(7)) }

    #expect(served.events.entries.filter { $0 == "database 2" }.count == 1)
    _ = try await run.shutdown()
  }

  @Test func oneThatDidNotComeUpStaysDown() async throws {
    let file = try JournalFile()
    let (pond, events) = (Pond("broken"), Logbook<String>())
    let server = pond.service("server") { _ in
      events.note("server")
      throw Breakdown()
    }
    pond.pebble("work", when: server.failed) {
      events.note("work")
      if events.count == 2 { try await untilCancelled() }
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { events.count == 2 }
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(events.entries == ["server", "work", "work"])
    #expect(report.outcomeWords == ["server failed", "work succeeded"])
  }

  /// Checks that a service whose restart fails in a living process is not counted as a crash.
  @Test func whatDoesNotComeUpInALivingProcessIsNotTakenForACrash() async throws {
    let trait = PebbleTrait.ending(
      .restart(.backoff(attempts: 9, initial: .milliseconds(1), jitter: .none)))
    let file = try JournalFile()
    let crashing = Served(number: 1, failsAfterFirst: true, trait)
    let run = try await crashing.pond.start(journal: Journal(at: file.path))
    try await until { crashing.events.entries.filter { $0 == "database 1" }.count >= 7 }
    let left = try await run.dies(with: file)
    let served = Served(number: 2, trait)

    let next = try await served.pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(report.record(of: served.database)?.isServiceDown == false)
    #expect(served.events.entries.first == "database 2")
  }

  @Test func aServiceIsGivenAnOutputThatHadDied() async throws {
    let file = try JournalFile()
    let number = Mutex(0)
    let pond = Pond("lost")
    let handle = pond.pebble("handle") { NightlyPond.Handle() }
    let server: Pebble<Int> = pond.service("server", needs: handle) { ready, _ in
      ready(
        number.withLock { number in
          number += 1
          return number
        })
      await ready.stopRequested()
    }
    let reader = pond.pebble("reader", needs: server) { number in
      if number == 1 { try await untilCancelled() }
      return number
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { (try? file.text.words.contains("called reader 1")) == true }
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(report[reader] == 2)
  }

  @Test func aShutdownThatHadBegunIsEndedByTheNextStart() async throws {
    let file = try JournalFile()
    let first = Served()
    let run = try await first.pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    _ = try await run.shutdown()
    let left = try JournalFile(try file.bytes(through: "stopping"))
    let served = Served(number: 2)

    let next = try await served.pond.start(journal: Journal(at: left.path))
    let report = try await next.reportAfterShutdown()

    #expect(served.events.entries == [])
    #expect(report.outcomeWords == ["database succeeded", "reader succeeded"])
    #expect(try left.text.isOver)
  }

  @Test func whatCrashesWhileItIsStartedAnewIsDownAfterFiveTimes() async throws {
    var left = try await Self.deathOf(Served(reading: { _ in try await untilCancelled() }))
    for count in 1...5 {
      let served = Served(number: count + 1, hangs: true)
      let run = try await served.pond.start(journal: Journal(at: left.path))
      try await until { served.events.count == 1 }
      left = try await run.dies(with: left)
    }
    let served = Served(number: 7)

    let report = try await served.pond.run(journal: Journal(at: left.path))

    #expect(served.events.entries == [])
    #expect(report.record(of: served.database)?.serviceEnd?.error is PebbleCrash)
    #expect(report.exitCode != 0)
  }

  @Test func aProcessThatIsStoppedWhileItIsStartedAnewIsNoCrashOfIt() async throws {
    let left = try await Self.deathOf(Served(reading: { _ in try await untilCancelled() }))
    for count in 1...5 {
      let served = Served(number: count + 1, hangs: true)
      let process = Task { try await served.pond.run(journal: Journal(at: left.path)) }
      try await until { served.events.count == 1 }
      process.cancel()
      _ = try await process.value
    }
    let served = Served(number: 7)

    let report = try await served.pond.run(journal: Journal(at: left.path))

    #expect(report[served.reader] == 7)
    #expect(report.exitCode == 0)
  }

  @Test func aServiceThatDoesNotComeUpInTimeDoesNotDetainTheRun() async throws {
    let left = try await Self.deathOf(Served(reading: { _ in try await untilCancelled() }))
    let (clock, served) = (AlarmClock(), Served(number: 2, hangs: true))

    let run = try await served.pond.start(
      journal: .at(left, seconds: 0), clock: clock, within: .seconds(86_400))
    try await until { served.events.count == 1 }
    await clock.asleep(1)
    clock.advance(by: .seconds(86_400))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcomeWords == ["database succeeded", "reader skipped"])
    #expect(try left.text.isOver)
  }

  @Test func aServiceWhoseInputCannotBeMadeAgainIsDown() async throws {
    let file = try JournalFile()
    let made = Attempts(failing: 0)
    let pond = Pond("lost")
    let handle = pond.pebble("handle") {
      if try made.next() > 1 { throw Breakdown("no handle") }
      return NightlyPond.Handle()
    }
    let server = pond.service("server", needs: handle) { ready, _ in
      ready()
      await ready.stopRequested()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)

    let report = try await pond.run(journal: Journal(at: left.path))

    #expect(report.record(of: server)?.serviceEnd?.error as? Breakdown == Breakdown("no handle"))
    #expect(report.exitCode != 0)
  }

  @Test func aServiceWhoseInputStaysDownIsDownInTheRecordToo() async throws {
    func services(failing: Int) -> (pond: Pond, web: Pebble<Void>) {
      let (pond, calls) = (Pond("served"), Attempts(failing: failing))
      let database = pond.service("database", .ending(.ignore)) { (ready: ServiceReady<Int>) in
        let call = try calls.next()
        ready(call)
        await ready.stopRequested()
      }
      let web = pond.service("web", .ending(.ignore), needs: database) { ready, _ in
        ready()
        await ready.stopRequested()
      }
      return (pond, web)
    }
    let file = try JournalFile()
    let run = try await services(failing: 0).pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)

    let (pond, web) = services(failing: 1)
    let report = try await pond.run(journal: Journal(at: left.path))
    try await until { report.unhandledFailures.count == 2 }
    let recorded = try RecordedRun(json: report.recorded().json())

    #expect(report.record(of: web)?.serviceEnd?.error as? ServiceError == .staysDown)
    #expect(try recorded.unhandledFailures.map(\.name) == ["database", "web"])
  }

  @Test func aServiceThatHadEndedAsItMayIsNotStartedAnew() async throws {
    let (file, pond, calls) = (try JournalFile(), Pond("served"), Logbook<String>())
    let warm = pond.service("warm", .ending(.mayEnd)) { ready in
      calls.note("warm")
      ready()
    }
    pond.pebble("work", when: warm.succeeded) {
      calls.note("work")
      if calls.count == 2 { try await untilCancelled() }
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until {
      calls.count == 2 && (try? file.text.words.contains("left warm")) == true
    }
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(report.isAllSucceeded)
    #expect(calls.entries == ["warm", "work", "work"])
  }

  /// Runs a pond until its reader is running, and returns the journal as if the process had died
  /// then.
  private static func deathOf(_ served: Served) async throws -> JournalFile {
    let file = try JournalFile()
    let run = try await served.pond.start(journal: Journal(at: file.path))
    try await until { served.events.entries.contains("reader 1") }
    return try await run.dies(with: file)
  }
}

/// A pond with a service whose output is the number of its process, and a pebble that reads it.
private struct Served: Sendable {
  let pond = Pond("served")
  let events = Logbook<String>()
  let database: Pebble<Int>
  let reader: Pebble<Int>

  init(
    number: Int = 1, failing: Int = 0, failsAfterFirst: Bool = false, hangs: Bool = false,
    _ trait: PebbleTrait = .traits(),
    reading: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) {
    let events = events
    let calls = Attempts(failing: failing)
    database = pond.service("database", trait, teardown: { events.note("close \($0)") }) { ready in
      events.note("database \(number)")
      let call = try calls.next()
      if failsAfterFirst, call > 1 { throw Breakdown() }
      if hangs { try await untilCancelled() }
      ready(number)
      if failsAfterFirst { throw Breakdown() }
      await ready.stopRequested()
    }
    reader = pond.pebble("reader", needs: database) { number in
      events.note("reader \(number)")
      try await reading(number)
      return number
    }
  }
}
