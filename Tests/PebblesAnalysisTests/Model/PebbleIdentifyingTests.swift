import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that every function accepts both handles, of any output, and names of pebbles, and throws
/// an error if the pebble is unknown.
@Suite(.watched) struct PebbleIdentifyingTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Void>
  private let load: Pebble<Int>
  private let show: Pebble<Void>
  private let stranger: Pebble<Int>

  init() {
    ping = pond.pebble("ping") {}
    load = pond.pebble("load", when: ping.succeeded) { 7 }
    show = pond.pebble("show", when: load.succeeded || ping.failed) {}
    stranger = Pond("other").pebble("load") { 8 }
  }

  @Test func handlesAndNamesStandInOneList() throws {
    let scenarios = try pond.scenarios()

    let ending = try scenarios.ending(failing: [load, .named("ping")], disabling: [show])

    #expect(ending.failed == ["ping"])
    #expect(ending.outcome(of: show) == .disabled)
    #expect(ending.outcome(of: .named("show")) == .disabled)
    #expect(
      try scenarios.ending(failing: [.named("load"), ping], disabling: [.named("show")]) == ending)
    #expect(scenarios.runs(.named("load")) == scenarios.runs(load))
    #expect(try pond.model().position(of: .named("show")) == 2)
  }

  @Test func identitiesAreEqualOnlyIfEachCanReplaceTheOther() {
    let name = PebbleID.named("show")

    #expect(PebbleID.named("show", originally: "show") == name)
    #expect(PebbleID.named("show", originally: "draw") != name)
    #expect(PebbleID.named("show", originally: "draw") != .named("show", originally: "paint"))
    #expect(show.pebbleID == show.pebbleID)
    #expect(show.pebbleID != name)
  }

  @Test func whyIsAskedOfHandlesAndNames() async throws {
    let model = try pond.model()
    let report = try await pond.run()

    let byHandle = try pond.why(show, given: [.fails(ping), .disabled(load)])

    #expect(
      try pond.why(.named("show"), given: [.fails(.named("ping")), .disabled(.named("load"))])
        == byHandle)
    #expect(try model.why(show.pebbleID, given: [.fails(ping), .disabled(load)]) == byHandle)
    #expect(report.why(.named("show")) == report.why(show))
    #expect(try report.recorded().why(.named("show")) == report.why(show))
    #expect(try report.recorded().why(show) == report.why(show))
  }

  @Test func timesAreAskedOfHandlesAndNames() async throws {
    let report = try await pond.run()
    let run = report.recorded()
    let onMain: [any PebbleIdentifying] = [ping, load, .named("show")]

    let timing = try report.timing(mainActor: onMain)

    #expect(try run.timing(mainActor: [.named("ping"), load, show]).pebbles == timing.pebbles)
    #expect(try run.criticalPath(mainActor: onMain) == timing.criticalPath)
    #expect(try report.criticalPath(mainActor: onMain) == timing.criticalPath)
    #expect(try report.compared(to: run, mainActor: onMain).makespanDifference == .zero)
    try Budget(.pebble(load, atMost: .seconds(60)), .pebble(.named("ping"), atMost: .seconds(60)))
      .check(report)
  }

  @Test func aDefinitionAndItsReportsKnowTheirOwnHandlesOnly() async throws {
    let scenarios = try pond.scenarios()
    let model = try pond.model()
    let report = try await pond.run()
    let late = pond.pebble("late") {}

    #expect(throws: UnknownPebbleError.self) { try scenarios.ending(failing: [stranger]) }
    #expect(throws: UnknownPebbleError.self) { try scenarios.ending(disabling: [late]) }
    #expect(throws: UnknownPebbleError.self) { try model.why(show, given: [.fails(stranger)]) }
    #expect(throws: UnknownPebbleError.self) { try pond.why(stranger) }
    #expect(throws: UnknownPebbleError.self) { try report.timing(mainActor: [stranger]) }
    #expect(throws: UnknownPebbleError.self) { try report.criticalPath(mainActor: [late]) }
    #expect(throws: UnknownPebbleError.self) { try report.makespanBounds(mainActor: [stranger]) }
    #expect(throws: UnknownPebbleError.self) {
      try report.whatIf([.pebble(stranger, speedUp: 2)])
    }
    #expect(scenarios.runs(stranger) == nil)
    #expect(model.position(of: late) == nil)
    let error = #expect(throws: UnknownPebbleError.self) {
      try pond.why(show, given: [.fails(stranger)])
    }
    #expect(error?.name == "load")
    #expect(error?.description == "\"load\" is a pebble of the pond \"other\", not of this one")
  }

  @Test func aRecordedRunKnowsNamesOnly() async throws {
    let run = try RecordedRun(json: try await pond.run().recorded().json())

    let why = try run.why(stranger)

    #expect(why == (try run.why(.named("load"))))
    #expect(try run.whatIf([.pebble(stranger, speedUp: 2)]).ignored.isEmpty)
  }

  @Test func aRecordedRunIsAskedInTheWordsOfAReport() async throws {
    let failing = Pond("failing")
    let load = failing.pebble("load") { throw Breakdown("refused") }
    let show = failing.pebble("show", when: load.succeeded) {}
    let rest = failing.pebble("rest") {}
    let run = try RecordedRun(json: try await failing.run().recorded().json())

    #expect(run.ran(load) && run.failed(.named("load")) && run.skipped(show) && run.succeeded(rest))
    #expect(!run.skipped(load) && !run.ran(show) && !run.failed(rest) && !run.succeeded(show))
    #expect(run.failures.map(\.name) == ["load"])
    #expect(run.outcome(of: load).error == "refused")
    #expect(run.outcome(of: show).skipReason == .conditionFalse(decidedBy: "load"))
    #expect(run.record(of: .named("rest"))?.name == "rest")
    #expect(!run.isAllSucceeded)
    #expect(try await pond.run().recorded().isAllSucceeded)
    #expect(run.record(of: ping) == nil)
    #expect(run.outcome(of: ping) == .skipped(.notInRun))
    #expect(!run.ran(ping) && !run.succeeded(ping) && !run.failed(ping) && !run.skipped(ping))
  }

  @Test(arguments: ["", "pong", "show\0"])
  func namesThatNobodyHasAreErrors(name: String) async throws {
    let scenarios = try pond.scenarios()
    let model = try pond.model()
    let report = try await pond.run()
    let run = report.recorded()

    #expect(throws: UnknownPebbleError.self) {
      try scenarios.ending(failing: [ping, .named(name)])
    }
    #expect(throws: UnknownPebbleError.self) { try scenarios.ending(disabling: [.named(name)]) }
    #expect(throws: UnknownPebbleError.self) { try pond.why(show, given: [.fails(.named(name))]) }
    #expect(throws: UnknownPebbleError.self) {
      try model.why(show, given: [.disabled(.named(name))])
    }
    #expect(throws: UnknownPebbleError.self) { try model.why(.named(name)) }
    #expect(throws: UnknownPebbleError.self) { try run.why(.named(name)) }
    #expect(throws: UnknownPebbleError.self) { try run.timing(mainActor: [.named(name)]) }
    #expect(throws: UnknownPebbleError.self) { try run.criticalPath(mainActor: [.named(name)]) }
    #expect(throws: UnknownPebbleError.self) { try run.makespanBounds(mainActor: [.named(name)]) }
    #expect(throws: UnknownPebbleError.self) { try run.whatIf([], mainActor: [.named(name)]) }
    #expect(throws: UnknownPebbleError.self) {
      try run.whatIf([.pebble(.named(name), takes: .zero)])
    }
    #expect(throws: UnknownPebbleError.self) {
      try run.compared(to: run, mainActor: [.named(name)])
    }
    #expect(
      report.why(.named(name)).sentence.hasSuffix("no pebble is named \(name.debugDescription)")
        || name.contains("\0"))
  }
}
