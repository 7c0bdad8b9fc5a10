import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of assumptions about a run, and of the errors for invalid assumptions.
@Suite(.watched) struct AssumptionTests {
  private enum Suit: CaseIterable { case clubs, diamonds, hearts, spades, none }

  private func problem(
    of pond: Pond, given assumptions: [Assumption]
  ) throws -> String? {
    let scenarios = try pond.scenarios()
    return #expect(throws: AssumptionError.self) {
      try scenarios.ending(given: assumptions)
    }?.description
  }

  @Test func thatACaseDoesNotHoldIsNoCase() throws {
    let pond = Pond("boot")
    let database = pond.pebble("database") {}
    let locked = database.failed("locked") { _ in false }

    #expect(
      try problem(of: pond, given: [.fails(database, as: !locked)])
        == "!database.failed(\"locked\") is not a case of database")
  }

  @Test func aCaseThatWasAddedAfterwardsIsNoCase() throws {
    let pond = Pond("boot")
    let database = pond.pebble("database") {}
    _ = database.failed("locked") { _ in false }
    let scenarios = try pond.scenarios()

    let gone = database.failed("gone") { _ in false }

    #expect(throws: AssumptionError.self) {
      try scenarios.ending(given: [.fails(database, as: gone)])
    }
  }

  @Test(arguments: [70, 71]) func aLongConditionThatIsNoCaseIsCut(count: Int) throws {
    let pond = Pond("boot")
    let database = pond.pebble("database") {}
    let long = pond.pebble(String(repeating: "x", count: count)) {}
    let text = "\(long.succeeded)"

    #expect(text.count == count + 10)
    let shown = count == 70 ? text : text.prefix(79) + "…"
    #expect(
      try problem(of: pond, given: [.fails(database, as: long.succeeded)])
        == "\(shown) is not a case of database")
  }

  @Test func theErrorIsKeptThatOnlyOneOfTwoAssumptionsStates() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let logic = try pond.model().pond

    let stated = Assumption.fails(load, error: "disk full")
    let unstated = Assumption.fails(load)

    #expect(try SimulationPlan([stated, unstated], of: logic).failures == [0: "disk full"])
    #expect(try SimulationPlan([unstated, stated], of: logic).failures == [0: "disk full"])
  }

  @Test func theFirstFourValuesAreNamedOfWhichOneMustBeSaid() throws {
    let pond = Pond("cards")
    let draw = pond.pebble("draw") { Suit.hearts }
    for suit in Suit.allCases { pond.pebble("\(suit)", when: draw.is(suit)) {} }

    #expect(
      try problem(of: pond, given: [])
        == "draw succeeds, and others depend on its value: name the value, such as "
        + "is(\"clubs\"), is(\"diamonds\"), is(\"hearts\"), is(\"spades\")")
  }

  @Test(arguments: [
    (FailurePolicy.cancelAll, [ScenarioOutcome.failed, .cancelled, .cancelled]),
    (.ignore, [.failed, .stalled, .succeeded]),
  ])
  func aFailureCutsARunOffBeforeItsStallIfThePolicySaysSo(
    policy: FailurePolicy, outcomes: [ScenarioOutcome]
  ) throws {
    let pond = Pond("boot", onFailure: policy)
    let bad = pond.pebble("bad") {}
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded
    pond.pebble("after", when: stuck.skipped) {}

    let ending = try pond.scenarios().ending(failing: [bad])

    #expect(ending.outcomes == outcomes)
  }

  @Test func aRunIsCutOffByTheFailureThatNobodyHandles() throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let first = pond.pebble("first") {}
    pond.pebble("help", when: first.failed) {}
    let bad = pond.pebble("bad") {}
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded

    let why = try pond.why(stuck, given: [.fails(first), .fails(bad)])

    #expect(
      why.sentence
        == "stuck was skipped: the run was cancelled before it could start: bad failed")
  }

  @Test func aValueOnWhichNothingDependsNeedNotBeSaid() throws {
    let pond = Pond("cards")
    let draw = pond.pebble("draw") { Suit.hearts }
    _ = draw.is(.hearts)
    pond.pebble("show", when: draw.succeeded) {}

    #expect(try pond.scenarios().ending().outcomes == [.succeeded, .succeeded])
  }

  @Test func aPlanIsOfThePebblesThatAreAskedFor() {
    var plan = SimulationPlan()
    #expect(plan.subset(of: 3) == nil)
    plan.notAskedFor = [1]

    #expect(plan.subset(of: 3) == [0, 2])
  }

  // MARK: Cases

  @Test func aQuestionMayMentionMoreCasesThanConditionsDo() throws {
    let pond = Pond("boot")
    let database = pond.pebble("database") {}
    let (locked, old) = (
      database.failed("locked") { _ in false }, database.failed("old") { _ in false }
    )
    pond.pebble("unlock", when: locked) {}
    let model = try pond.model()
    let late = database.failed("late") { _ in false }

    #expect(model.mentionedCases.count == 1)
    #expect(model.mentionedCases(and: old || database.succeeded).count == 2)
    #expect(model.mentionedCases(and: late) == model.mentionedCases)
    #expect((database.failed && (old || !locked) && database.settled).caseAtoms.count == 2)
    #expect(database.failed.caseAtoms == [])
  }

  @Test func aTimeoutHoldsAlone() throws {
    let pond = Pond("boot")
    let fetch = pond.pebble("fetch") {}
    let quota = fetch.failed("quota") { _ in false }
    pond.pebble("slow", when: fetch.timedOut || quota) {}
    let model = try pond.model()
    func cases(_ chosen: Set<PebbleCase>) -> [PebbleCase] {
      let network = model.pond.network
      let set = model.cases(of: 0, .failed, asking: model.mentionedCases) { variable in
        guard case .case(let row) = variable else { return false }
        return chosen.contains(network.cases[row].name)
      }
      return model.pond.graph.cases[0]?[set] ?? []
    }

    #expect(cases([.timedOut, .failed("quota")]) == [.timedOut])
    #expect(cases([.failed("quota")]) == [.failed("quota")])
    #expect(cases([]) == [])
  }
}
