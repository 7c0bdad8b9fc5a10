import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of resumed runs of ponds without services.
@Suite(.watched) struct ResumedRunTests {
  private let pond = Pond("boot")
  private let journal = Logbook<String>()
  private let network = Network()

  private func online(_ name: String) throws {
    journal.note(name)
    try network.reach()
  }

  @Test func whatHasSucceededIsKeptAndWhatFailedIsRunAgain() async throws {
    let settings = pond.pebble("settings") { [journal] in
      journal.note("settings")
      return 7
    }
    let launches = pond.pebble("launches", needs: settings) { settings in
      try online("launches")
      return settings * 2
    }
    let offline = pond.pebble("offline", when: launches.failed) { [journal] in
      journal.note("offline")
    }
    let show = pond.pebble("show", needs: launches, settings) { [journal] launches, settings in
      journal.note("show \(launches) \(settings)")
    }
    let first = try pond.start()
    let before = try await first.report
    #expect(before.succeeded(offline) && before.skipped(show))
    network.goOnline()

    let again = try await first.resumed()
    let report = try await again.report

    #expect(journal.entries == ["settings", "launches", "offline", "launches", "show 14 7"])
    #expect(report[settings] == 7 && report[launches] == 14)
    #expect(report.succeeded(show) && report.skipped(offline))
    #expect(again.identifier != first.identifier)
    let record = try #require(report.record(of: settings))
    #expect(record.keptFrom == first.identifier)
    #expect(record.attempts.isEmpty && record.duration == .zero)
    #expect(report.record(of: launches)?.keptFrom == nil)
    #expect(record.explanation.hasSuffix("succeeded in the run \(first.identifier) and was kept"))
    #expect(report.description.hasPrefix("boot: 2 succeeded, 1 kept, 1 not needed in "))
    #expect(report.description.contains("from run \(first.identifier)"))
  }

  @Test func aFallbackOfWhatIsTriedAgainIsNotKept() async throws {
    let launches = pond.pebble("launches") { try online("launches") }
    let cached = pond.pebble("cached", when: launches.failed) { [journal] in
      journal.note("cached")
    }
    let shown = pond.pebble("shown", when: launches.succeeded || cached.succeeded) { [journal] in
      journal.note("shown")
    }
    let first = try pond.start()
    _ = try await first.report

    let report = try await first.resumed().report

    #expect(journal.entries == ["launches", "cached", "shown", "launches", "cached", "shown"])
    #expect(report.records.allSatisfy { $0.keptFrom == nil })
    #expect(report.succeeded(shown))
  }

  /// Checks that a pebble is kept if it depends on a skipped pebble that is certain to be skipped
  /// again, because of a pebble that is kept.
  @Test func whatDependsOnASkipThatStaysIsKept() async throws {
    let store = pond.pebble("store") {}
    let repair = pond.pebble("repair", when: store.failed) {}
    let open = pond.pebble("open", when: repair.settled) { [journal] in journal.note("open") }
    pond.pebble("launches") { try online("launches") }
    let first = try pond.start()
    _ = try await first.report

    let report = try await first.resumed().report

    #expect(report.record(of: open)?.keptFrom == first.identifier)
    #expect(journal.entries.filter { $0 == "open" }.count == 1)
  }

  @Test func aResumedRunIsResumedAndKeepsFromBoth() async throws {
    let flaky = Attempts(failing: 1)
    let rare = Attempts(failing: 1)
    let one = pond.pebble("one") {}
    let two = pond.pebble("two", when: one.succeeded) { try flaky.next() }
    let three = pond.pebble("three", needs: two) { _ in try rare.next() }
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed()
    let middle = try await second.report
    let third = try await second.resumed()
    let report = try await third.report

    #expect(middle.record(of: one)?.keptFrom == first.identifier)
    #expect(middle.failed(three))
    #expect(report.record(of: one)?.keptFrom == first.identifier)
    #expect(report.record(of: two)?.keptFrom == second.identifier)
    #expect(report[three] == 2 && flaky.count == 2)
  }

  @Test func theKeyForWhatIsDoneOnceStays() async throws {
    let keys = Logbook<String>()
    let flaky = Attempts(failing: 1)
    pond.pebble("pay", .retry(.attempts(1))) {
      keys.note(PebbleContext.current?.idempotencyKey ?? "")
      _ = try flaky.next()
    }
    let first = try pond.start()
    _ = try await first.report

    let again = try await first.resumed()
    _ = try await again.report

    #expect(keys.entries == ["\(first.identifier)/pay", "\(first.identifier)/pay"])
  }

  @Test func whatDidWithoutAValueIsNotKeptIfTheValueIsGivenNow() async throws {
    let (isEnabled, settings) = (Gate(), Pond("settings"))
    let user = settings.given("user", default: "ada")
    let cluster = pond.add(settings, as: "settings", .enabled { isEnabled.isOpen })
    let page = pond.pebble("page", needs: cluster[user].optional) { "page of \($0 ?? "nobody")" }
    let first = try pond.start()
    let before = try await first.report
    #expect(before[page] == "page of nobody" && before.skipped(cluster[user]))
    isEnabled.open()

    let report = try await first.resumed().report

    #expect(report[cluster[user]] == "ada")
    #expect(report[page] == "page of ada")
  }

  @Test func enabledIsAskedAnewAndWhatIsDisabledIsNotKept() async throws {
    let isEnabled = Mutex(true)
    let optional = pond.pebble("optional", .enabled { isEnabled.withLock(\.self) }) { 1 }
    let reader = pond.pebble("reader", needs: optional.optional) { [journal] value in
      journal.note("reader \(value ?? 0)")
    }
    let first = try pond.start()
    _ = try await first.report
    isEnabled.withLock { $0 = false }

    let report = try await first.resumed().report

    #expect(report.outcome(of: optional).skipReason == .disabled)
    #expect(report.record(of: reader)?.keptFrom == nil)
    #expect(journal.entries == ["reader 1", "reader 0"])
  }

  @Test func thePondMayHaveChanged() async throws {
    let one = pond.pebble("one") { [journal] in journal.note("one") }
    let two = pond.pebble("two", when: one.succeeded) { [journal] in journal.note("two") }
    let first = try pond.start()
    _ = try await first.report
    let zero = pond.pebble("zero") { [journal] in journal.note("zero") }
    two.ready = zero.succeeded

    let report = try await first.resumed().report

    #expect(journal.entries == ["one", "two", "zero", "two"])
    #expect(report.record(of: one)?.keptFrom == first.identifier)
    #expect(report.record(of: two)?.keptFrom == nil)
  }

  @Test func itGoesOnWhenThePondIsGone() async throws {
    let flaky = Attempts(failing: 1)
    var pond: Pond? = Pond("short")
    pond?.pebble("flaky") { try flaky.next() }
    let first = try #require(try pond?.start())
    _ = try await first.report
    pond = nil

    #expect(try await first.resumed().report.isAllSucceeded)
  }

  @Test func aResumedRunIsOfThatPartOfThePondOrOfAnother() async throws {
    let flaky = Attempts(failing: 1)
    let web = pond.pebble("web") { try flaky.next() }
    let mail = pond.pebble("mail") { [journal] in journal.note("mail") }
    let first = try pond.start(only: [web])
    _ = try await first.report

    let second = try await first.resumed()
    let same = try await second.report
    let third = try await second.resumed(only: [mail])
    let other = try await third.report

    #expect(same.succeeded(web) && same.outcome(of: mail).skipReason == .notAskedFor)
    #expect(other.succeeded(mail) && other.outcome(of: web).skipReason == .notAskedFor)
    #expect(journal.entries == ["mail"])
  }

  @Test func eventsTellWhatIsKept() async throws {
    let flaky = Attempts(failing: 1)
    pond.pebble("store") {}
    pond.pebble("flaky") { try flaky.next() }
    let first = try pond.start()
    _ = try await first.report

    let again = try await first.resumed(eventHistory: 100)
    _ = try await again.report
    var events: [String] = []
    for await event in again.events {
      events.append("\(event.kind) \(event.pebble ?? "")")
    }

    #expect(events.filter { $0.hasSuffix("store") } == ["settled store"])
    #expect(events.contains("attemptStarted flaky"))
  }

  @Test func aBodyThatGoesOnIsNotCalledBesideItself() async throws {
    let (isStuck, started) = (Gate(), Gate())
    let calls = Attempts(failing: 0)
    let running = Mutex(0)
    pond.pebble("stuck", .timeout(.milliseconds(1))) { [journal] in
      let beside = running.withLock { running in
        running += 1
        return running
      }
      if beside > 1 { Issue.record("two at a time") }
      if try calls.next() == 1 {
        started.open()
        await isStuck.passed()
      }
      running.withLock { $0 -= 1 }
      journal.note("ended")
    }
    let first = try pond.start()
    await started.passed()
    #expect(try await first.report.failures.count == 1)

    let again = try await first.resumed()
    try await until { again.status.running.map(\.name) == ["stuck"] }
    #expect(calls.count == 1)
    isStuck.open()

    #expect(try await again.report.isAllSucceeded)
    #expect(calls.count == 2 && journal.entries == ["ended", "ended"])
  }

  @Test func aRunThatStillBootsIsNotResumed() async throws {
    let gate = Gate()
    pond.pebble("slow") { await gate.passed() }
    let run = try pond.start()

    await #expect(throws: PondError.self) { try await run.resumed() }
    gate.open()
    _ = try await run.report
    let again = try await run.resumed()

    #expect(try await again.report.isAllSucceeded)
  }

  @Test func aRunIsResumedByOneAtATime() async throws {
    let flaky = Attempts(failing: 1)
    let gate = Gate()
    pond.pebble("flaky") {
      if try flaky.next() > 1 { await gate.passed() }
    }
    let run = try pond.start()
    _ = try await run.report
    let again = try await run.resumed()

    let error = await #expect(throws: PondError.self) { try await run.resumed() }
    #expect("\(try #require(error))".contains("still going"))
    gate.open()
    _ = try await again.report

    #expect(try await again.resumed().report.isAllSucceeded)
  }

  @Test func aRunIsNotResumedWhileALaterOneHasAServiceUp() async throws {
    let flaky = Attempts(failing: 1)
    let load = pond.pebble("load") { _ = try flaky.next() }
    pond.service("http", when: load.succeeded) { [journal] ready in
      ready()
      await ready.stopRequested()
      journal.note("http down")
    }
    let run = try pond.start()
    _ = try await run.report
    let again = try await run.resumed()
    _ = try await again.report

    let error = await #expect(throws: PondError.self) { try await run.resumed() }

    #expect("\(try #require(error))".contains("still going"))
    #expect(journal.entries.isEmpty)
    try await again.shutdown().check()
  }
}
