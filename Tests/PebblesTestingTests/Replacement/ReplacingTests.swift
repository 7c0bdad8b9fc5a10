import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of replacing real bodies with other bodies.
@Suite(.watched) struct ReplacingTests {
  private let pond = Pond("boot")
  private let calls = Logbook<String>()
  private let open: Pebble<String>
  private let settings: Pebble<Int>
  private let logIn: Pebble<String>
  private let show: Pebble<Void>
  private let offline: Pebble<Void>

  init() {
    open = pond.pebble("open", teardown: { [calls] in calls.note("close \($0)") }) { [calls] in
      calls.note("open")
      return "real"
    }
    settings = pond.pebble("settings") { 7 }
    logIn = pond.pebble("logIn", needs: open, settings) { database, number in
      "\(database) user \(number)"
    }
    show = pond.pebble("show", when: logIn.succeeded) {}
    offline = pond.pebble("offline", when: logIn.failed) {}
  }

  @Test func theNewBodyRunsInThePlaceOfTheOldOne() async throws {
    let replaced = try pond.replacing(open) { "fake" }

    let report = try await replaced.run()

    #expect(report[open] == "fake")
    #expect(report[logIn] == "fake user 7")
    #expect(report.succeeded(show) && report.skipped(offline))
    #expect(calls.entries.isEmpty)
  }

  @Test func theCasesAreAskedOfTheNewBody() async throws {
    let isSeven = settings.succeeded("seven") { $0 == 7 }
    let isEight = settings.is(8)
    let refused = settings.failed("refused") { $0 is Breakdown }
    let seven = pond.pebble("seven", when: isSeven) {}
    let eight = pond.pebble("eight", when: isEight) {}
    let other = pond.pebble("other", when: refused) {}
    let returning = try pond.replacing(settings) { 8 }
    let failing = try pond.replacing(settings) { throw Breakdown() }

    let reports = (try await pond.run(), try await returning.run(), try await failing.run())

    #expect(reports.0.succeeded(seven) && reports.0.skipped(eight) && reports.0.skipped(other))
    #expect(reports.1.skipped(seven) && reports.1.succeeded(eight) && reports.1.skipped(other))
    #expect(reports.2.skipped(seven) && reports.2.skipped(eight) && reports.2.succeeded(other))
    #expect(reports.1.record(of: settings)?.cases == [.is("8")])
  }

  @Test func theOriginalIsUnaffected() async throws {
    let replaced = try pond.replacing(open) { throw Breakdown() }

    _ = try await replaced.run()
    let report = try await pond.run()

    #expect(report[open] == "real")
    #expect(calls.entries == ["open"])
  }

  @Test func aBodyMayTakeSomeOfTheInputsOrAll() async throws {
    let some = try pond.replacing(logIn, needs: settings) { number in "user \(number)" }
    let all = try pond.replacing(logIn, needs: settings, open.result) { number, database in
      "\(try database.get()) \(number)"
    }
    let none = try pond.replacing(logIn) { "user" }

    #expect(try await some.run()[logIn] == "user 7")
    #expect(try await all.run()[logIn] == "real 7")
    #expect(try await none.run()[logIn] == "user")
    // What the body does not take is waited for all the same; what it had anyway, only once.
    #expect(
      try some.model().condition(at: 2).description
        == "open.succeeded && settings.succeeded")
    let report = try await none.replacing(open) { throw Breakdown() }.run()
    #expect(report.skipped(logIn))
  }

  @Test func aBodyMayTakeOtherInputsAndThenWaitsForThem() async throws {
    let gate = Gate()
    let slow = pond.pebble("slow") {
      await gate.passed()
      return 3
    }
    let replaced = try pond.replacing(open, needs: slow) { number in "open \(number)" }

    let run = try replaced.start()
    gate.open()
    let report = try await run.report

    #expect(report[open] == "open 3")
    #expect(report.record(of: open)?.enabledBy == "slow")
    #expect(report[logIn] == "open 3 user 7")
    #expect(try await pond.run()[open] == "real")
  }

  @Test func theLastOfSeveralBodiesCounts() async throws {
    let replaced = try pond.replacing(open) { "first" }
      .replacing(settings) { 8 }
      .replacing(open) { "second" }

    #expect(try await replaced.run()[logIn] == "second user 8")
  }

  @Test func conditionsAreTheOriginals() async throws {
    let failing = try pond.replacing(logIn) { throw Breakdown() }

    let report = try await failing.run()

    #expect(report.skipped(show) && report.succeeded(offline))
    #expect("\(failing)" == "\(pond)")
    #expect(failing.dot() == pond.dot())
  }

  @Test func teardownOfTheRealThingIsNotCalledWithAFake() async throws {
    let replaced = try pond.replacing(open) { "fake" }
    let torn = try pond.replacing(open, teardown: { [calls] in calls.note("drop \($0)") }) {
      "fake"
    }

    for pond in [replaced, torn] {
      let run = try pond.start()
      _ = try await run.report
      try await run.shutdown()
    }

    #expect(calls.entries == ["drop fake"])
  }

  @Test func traitsAndWhatIsAroundStay() async throws {
    let (calls, attempts) = (Logbook<String>(), Logbook<Int>())
    let pond = Pond(
      "pond",
      around: { context, body in
        calls.note("\(context.pebble) \(context.attempt)")
        try await body()
      })
    let flaky = pond.pebble("flaky", .retry(.attempts(3)), .uses("room", of: 1)) { 1 }
    let ping = pond.pebble("ping", .enabled { false }) { complete in complete(true) }

    let report = try await pond.replacing(flaky) {
      attempts.note(attempts.count)
      guard attempts.count == 3 else { throw Breakdown() }
      return 2
    }
    .replacing(ping) {}
    .run()

    #expect(report[flaky] == 2)
    #expect(calls.entries == ["flaky 1", "flaky 2", "flaky 3"])
    #expect(report.outcome(of: ping).skipReason == .disabled)
  }

  @Test func aCallbackIsReplacedByABodyThatReturnsOrThrows() async throws {
    let ping = pond.pebble("ping") { complete in complete(true) }

    let report = try await pond.replacing(ping) { throw Breakdown() }.run()

    #expect(report.failed(ping))
    #expect(report.record(of: ping)?.ignoredCompletions == 0)
  }

  @Test func runsOfBothMayOverlap() async throws {
    let (first, second) = (Gate(), Gate())
    let replaced = try pond.replacing(settings) {
      first.open()
      await second.passed()
      return 8
    }

    let run = try replaced.start()
    await first.passed()
    let report = try await pond.run()
    second.open()

    #expect(report[logIn] == "real user 7")
    #expect(try await run.report[logIn] == "real user 8")
  }

  @Test func aPebbleThatIsNotThereIsAnError() throws {
    let stranger = Pond("other").pebble("open") { "else" }
    let replaced = try pond.replacing(open) { "fake" }
    let late = pond.pebble("late") { 1 }

    let error = #expect(throws: UnknownPebbleError.self) { try pond.replacing(stranger) { "" } }
    #expect(error?.description == "\"open\" is a pebble of the pond \"other\", not of this one")
    #expect(throws: UnknownPebbleError.self) {
      try pond.replacing(stranger, needs: settings) { "\($0)" }
    }
    let later = #expect(throws: UnknownPebbleError.self) { try replaced.replacing(late) { 2 } }
    #expect(later?.description == "\"late\" was added to the pond later")
  }

  @Test func aCaseThatTheOriginalIsGivenLaterIsAFaultOfTheCopy() async throws {
    let replaced = try pond.replacing(settings) { 8 }
    let late = settings.failed("late") { _ in true }
    replaced.pebble("late", when: late) {}

    let error = await #expect(throws: PondError.self) { try await replaced.run() }

    #expect(
      error?.faults == [
        .invalidOption(
          pebble: "late",
          problem: "mentions a case of \"settings\" that was added after the pond was copied; add "
            + "it before")
      ])
  }

  @Test func aCaseThatTheOriginalIsGivenLaterIsNoOtherCaseInACluster() async throws {
    let replaced = try pond.replacing(settings) { 8 }
    let late = settings.failed("late") { _ in true }
    replaced.pebble("late", when: late) {}
    let outer = Pond("outer")
    let cluster = outer.add(replaced, as: "copy")
    let other = cluster[settings].failed("other") { _ in true }
    outer.pebble("other", when: other) {}

    let error = await #expect(throws: PondError.self) { try await outer.run() }

    #expect(
      error?.faults == [
        .invalidOption(
          pebble: "copy/late",
          problem: "mentions a case of \"copy/settings\" that was added after the pond was copied; "
            + "add it before")
      ])
  }

  @Test func anInputOfAnotherPondIsAFaultOfTheCopy() async throws {
    let stranger = Pond("other").pebble("stranger") { 8 }
    let replaced = try pond.replacing(logIn, needs: stranger) { "\($0)" }

    let error = await #expect(throws: PondError.self) { try await replaced.run() }

    #expect(
      error?.faults == [.foreignPebble("stranger", ofPond: "other", mentionedBy: "logIn")])
  }
}
