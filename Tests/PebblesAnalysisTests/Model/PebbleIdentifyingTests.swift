import Pebbles
import PebblesAnalysis
import Testing

/// Handles of any output and names mean the same pebbles everywhere, and unknown ones are errors.
@Suite struct PebbleIdentifyingTests {
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

    let ending = try scenarios.ending(failing: [load, "ping"], disabling: [show])

    #expect(ending.failed == ["ping"])
    #expect(ending.outcome(of: show) == .disabled)
    #expect(ending.outcome(of: "show") == .disabled)
    #expect(try scenarios.ending(failing: ["load", ping], disabling: ["show"]) == ending)
    #expect(scenarios.runs("load") == scenarios.runs(load))
    #expect(try pond.model().position(of: "show") == 2)
  }

  @Test func whyIsAskedOfHandlesAndNames() async throws {
    let model = try pond.model()
    let report = try await pond.run()

    let byHandle = try pond.why(show, given: [.fails(ping), .disabled(load)])

    #expect(try pond.why("show", given: [.fails("ping"), .disabled("load")]) == byHandle)
    #expect(try model.why(show.pebbleID, given: [.fails(ping), .disabled(load)]) == byHandle)
    #expect(report.why("show") == report.why(show))
    #expect(try report.recorded().why("show") == report.why(show))
    #expect(try report.recorded().why(show) == report.why(show))
  }

  @Test func timesAreAskedOfHandlesAndNames() async throws {
    let report = try await pond.run()
    let run = report.recorded()
    let onMain: [any PebbleIdentifying] = [ping, load, "show"]

    let timing = try report.timing(mainActor: onMain)

    #expect(try run.timing(mainActor: ["ping", load, show]).pebbles == timing.pebbles)
    #expect(try run.criticalPath(mainActor: onMain) == timing.criticalPath)
    #expect(try report.criticalPath(mainActor: onMain) == timing.criticalPath)
    #expect(try report.compared(to: run, mainActor: onMain).makespanDifference == .zero)
    try Budget(.pebble(load, atMost: .seconds(60)), .pebble("ping", atMost: .seconds(60)))
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

    #expect(why == (try run.why("load")))
    #expect(try run.whatIf([.pebble(stranger, speedUp: 2)]).ignored.isEmpty)
  }

  @Test(arguments: ["", "pong", "show\0"])
  func namesThatNobodyHasAreErrors(name: String) async throws {
    let scenarios = try pond.scenarios()
    let model = try pond.model()
    let report = try await pond.run()
    let run = report.recorded()

    #expect(throws: UnknownPebbleError.self) { try scenarios.ending(failing: [ping, name]) }
    #expect(throws: UnknownPebbleError.self) { try scenarios.ending(disabling: [name]) }
    #expect(throws: UnknownPebbleError.self) { try pond.why(show, given: [.fails(name)]) }
    #expect(throws: UnknownPebbleError.self) { try model.why(show, given: [.disabled(name)]) }
    #expect(throws: UnknownPebbleError.self) { try model.why(name) }
    #expect(throws: UnknownPebbleError.self) { try run.why(name) }
    #expect(throws: UnknownPebbleError.self) { try run.timing(mainActor: [name]) }
    #expect(throws: UnknownPebbleError.self) { try run.criticalPath(mainActor: [name]) }
    #expect(throws: UnknownPebbleError.self) { try run.makespanBounds(mainActor: [name]) }
    #expect(throws: UnknownPebbleError.self) { try run.whatIf([], mainActor: [name]) }
    #expect(throws: UnknownPebbleError.self) { try run.whatIf([.pebble(name, takes: .zero)]) }
    #expect(throws: UnknownPebbleError.self) { try run.compared(to: run, mainActor: [name]) }
    #expect(
      report.why(name).sentence.hasSuffix("no pebble is named \(name.debugDescription)")
        || name.contains("\0"))
  }
}
