import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of the expectations that tests can state about reports.
@Suite(.watched) struct ExpectationTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Bool>
  private let cores: Pebble<[Int]>
  private let refresh: Pebble<Void>
  private let screens: Pebble<Void>
  private let either: Pebble<Void>

  init() {
    ping = pond.pebble("ping") { true }
    cores = pond.pebble("cores") { [] }
    refresh = pond.pebble("refresh", when: ping.succeeded) {}
    screens = pond.pebble("screens", when: refresh.succeeded) {}
    either = pond.pebble("either", when: ping.succeeded || cores.succeeded) {}
  }

  @Test func reportsAnswerInAWord() async throws {
    let report = try await pond.simulate(failing: [ping])
    let foreign = Pond("other").pebble("ping") {}

    #expect(report.ran(cores) && report.ran(ping) && !report.ran(refresh) && !report.ran(foreign))
    #expect(report.succeeded(cores) && !report.succeeded(ping) && !report.succeeded(foreign))
    #expect(report.failed(ping) && !report.failed(cores) && !report.failed(foreign))
    #expect(report.skipped(refresh) && !report.skipped(ping) && !report.skipped(foreign))
  }

  @Test func aSimulationHasNoValuesAndSaysSo() async throws {
    let report = try await pond.simulate()

    let error = #expect(throws: MissingValueError.self) { try report.value(of: cores) }

    #expect(error?.skipReason == nil)
    #expect(
      error?.description == "cores succeeded without a value: no body was called in this run, "
        + "which is a simulation")
    try report.value(of: refresh)
  }

  @Test func anOutputIsExpected() async throws {
    let report = try await pond.run()

    try report.expectSucceeded(ping, with: true)
    try report.expectSucceeded(cores, with: [])
    let other = #expect(throws: ExpectationFailure.self) {
      try report.expectSucceeded(cores, with: [1])
    }
    #expect(
      other?.description.hasPrefix(
        "cores was expected to succeed with [1], but succeeded with []\n") == true)
    let failed = try await pond.simulate(failing: [ping])
    let none = #expect(throws: ExpectationFailure.self) {
      try failed.expectSucceeded(ping, with: true)
    }
    #expect(
      none?.description.hasPrefix("ping was expected to succeed with true, but failed\n") == true)
  }

  @Test func expectationsThatAreMetPass() async throws {
    let recovery = pond.pebble("recovery", when: refresh.failed) {}
    let report = try await pond.simulate(failing: [ping], disabling: [cores])

    try report.expectRan(ping)
    try report.expectFailed(ping)
    try report.expectFailed(.named("ping"), with: SimulatedFailure.self)
    try report.expectSkipped(cores, because: .disabled)
    try report.expectSkipped(refresh)
    try report.expectSkipped(refresh, because: .conditionFalse)
    try report.expectSkipped(refresh, because: .blocked)
    try report.expectSkipped(recovery, because: .notNeeded)
    try report.expectSkipped(refresh, becauseOf: ping)
    try report.expectSkipped(screens, becauseOf: refresh)
    try report.expectSkipped(screens, becauseOf: .named("ping"))
    try report.expectSkipped(either, becauseOf: ping)
    try report.expectSkipped(either, becauseOf: cores)
    try await pond.simulate().expectSucceeded(screens)
  }

  @Test func whatLetAFailedPebbleStartIsNotBehindASkip() async throws {
    let login = pond.pebble("login", when: cores.succeeded) {}
    let inbox = pond.pebble("inbox", when: login.succeeded) {}

    let report = try await pond.simulate(failing: [login])

    try report.expectSkipped(inbox, becauseOf: login)
    #expect(throws: ExpectationFailure.self) {
      try report.expectSkipped(inbox, becauseOf: cores)
    }
  }

  @Test func oneThatIsNotMetSaysWhy() async throws {
    let report = try await pond.simulate(failing: [ping])

    let failure = #expect(throws: ExpectationFailure.self) {
      try report.expectRan(screens, fileID: "Boot/Tests.swift", line: 3)
    }

    #expect(
      "\(try #require(failure))" == """
        screens was expected to run, but was skipped
          screens was blocked
          └─ needs refresh to succeed, but it was blocked
             └─ needs ping to succeed, but it failed: it fails in this simulation
          expected at Boot/Tests.swift:3
        """)
  }

  @Test func eachSaysWhatWasExpected() async throws {
    let report = try await pond.simulate(failing: [ping])

    func sentence(_ expect: () throws -> Void) throws -> String {
      let failure = try #require(throws: ExpectationFailure.self) { try expect() }
      return failure.lines[0]
    }

    #expect(
      try sentence { try report.expectSucceeded(ping) }
        == "ping was expected to succeed, but failed")
    #expect(
      try sentence { try report.expectFailed(cores) }
        == "cores was expected to fail, but succeeded")
    #expect(
      try sentence { try report.expectFailed(ping, with: Breakdown.self) }
        == "ping was expected to fail with Breakdown, but failed")
    #expect(
      try sentence { try report.expectSkipped(cores) }
        == "cores was expected to be skipped, but succeeded")
    #expect(
      try sentence { try report.expectSkipped(screens, because: .stalled) }
        == "screens was expected to be skipped because it waits for itself, but was skipped")
    #expect(
      try sentence { try report.expectSkipped(screens, because: .notNeeded) }
        == "screens was expected to be skipped because it was not needed, but was skipped")
    #expect(
      try sentence { try report.expectSkipped(screens, becauseOf: cores) }
        == "screens was expected to be skipped because of cores, but was skipped")
    #expect(try sentence { try report.expectRan(.named("pong")) } == "no pebble is named \"pong\"")
    #expect(
      try sentence { try report.expectRan(Pond("other").pebble("else") {}) }
        == "\"else\" is a pebble of the pond \"other\", not of this one")
  }

  @Test func aPebbleThatWasKeptDidNotRun() async throws {
    let pond = Pond("again")
    let attempts = Attempts(failing: 1)
    let settings = pond.pebble("settings") {}
    let launches = pond.pebble("launches") { try attempts.next() }
    let first = try pond.start()
    _ = try await first.report

    let report = try await first.resumed().report

    try report.expectRan(launches)
    try report.expectSucceeded(settings)
    let failure = #expect(throws: ExpectationFailure.self) { try report.expectRan(settings) }
    #expect(
      try #require(failure).lines.first
        == "settings was expected to run, but was kept from an earlier run")
  }

  @Test func aPebbleAddedLaterIsNotInTheReport() async throws {
    let report = try await pond.simulate()
    let late = pond.pebble("late") {}

    let failure = #expect(throws: ExpectationFailure.self) { try report.expectSkipped(late) }

    #expect(try #require(failure).lines == ["\"late\" was added to the pond later"])
    #expect(!report.skipped(late))
  }

  @Test func aLongWayToAnEndIsCut() async throws {
    var last = pond.pebble("0", when: ping.succeeded) {}
    for number in 1..<1_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    let report = try await pond.simulate(failing: [ping])

    let failure = #expect(throws: ExpectationFailure.self) { try report.expectRan(last) }

    #expect(try #require(failure).lines.count == 103)
    #expect(try #require(failure).lines.last == "… and 901 more behind them")
  }
}
