import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of conditions with a case that was added to a pebble only after the model had been
/// created.
@Suite(.watched) struct ForeignCaseTests {
  private let pond = Pond("boot")
  private let load: Pebble<Void>
  private let other: Pebble<Void>

  init() {
    load = pond.pebble("load") {}
    other = pond.pebble("other") {}
    // Cases of the next pebble stand right behind those of this one.
    let cases = [load.failed("locked") { _ in false }, other.failed("broken") { _ in false }]
    pond.pebble("after", when: .any(cases)) {}
  }

  private var late: Condition { load.failed("late") { _ in false } }

  @Test func caseAddedAfterTheScenariosIsForeignToThem() throws {
    let scenarios = try pond.scenarios()
    var run = SymbolicRun(try pond.model(), limit: 1_000)
    let late = late

    #expect(throws: UnknownPebbleError.self) { try scenarios.check(.never(late)) }
    #expect(throws: UnknownPebbleError.self) { try scenarios.occurrence(of: late) }
    #expect(throws: UnknownPebbleError.self) {
      try scenarios.smallestFailures(leadingTo: other.failed && !late)
    }
    #expect(try run.function(of: late) == nil)
    #expect(try run.function(of: other.failed && late) == nil)
  }

  @Test func caseAddedAfterTheRunIsForeignToItsReport() async throws {
    let report = try await pond.run()
    let late = late

    #expect(throws: UnknownPebbleError.self) { try report.holds(late) }
    #expect(throws: UnknownPebbleError.self) { try report.keeps(.never(late)) }
  }
}
