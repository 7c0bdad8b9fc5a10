import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the samples of scenarios, which are simulated 64 at a time.
@Suite struct ScenarioSamplesTests {
  private let pond = Pond("boot")

  private func samples() throws -> ScenarioSamples {
    let model = try pond.model()
    return ScenarioSamples(Circuit(model.pond), nil, of: model.pond, optional: [])
  }

  @Test func firstScenariosAreSuccessThenFailureOfAllThenOfEach() throws {
    for number in 0..<3 { pond.pebble("\(number)") {} }
    let samples = try samples()

    #expect(
      (0..<5).map { samples.scenario(atLane: $0).failing } == [[], [0, 1, 2], [0], [1], [2]])
    #expect(samples.lane(where: []) == 0)
    #expect(samples.lane(where: [.failed(1)]) == 1)
    #expect(samples.lane(where: [.failed(1), .signal(.init(0, .succeeded))]) == 3)
    #expect(samples.lane(where: [.skipped(0)]) == nil)
  }

  @Test func wordsThatAreToBeLearnedBeginWithSuccess() throws {
    for number in 0..<40 { pond.pebble("\(number)") {} }
    let samples = try samples()

    let isSuccess = (0..<48).map { word in
      (0..<64).allSatisfy { samples.scenario(atLane: 64 * word + $0).failing.isEmpty }
    }
    // In the first word each fails once, and from the sixteenth on several do.
    #expect(isSuccess == (0..<48).map { $0 != 0 && !(16..<32).contains($0) })
  }

  @Test func casesThatExcludeEachOtherNeverHoldTogether() throws {
    enum Side: CaseIterable { case heads, edge, tails }
    let flip = pond.pebble("flip") { Side.heads }
    let sides = [flip.is(.heads), flip.is(.edge), flip.is(.tails)]
    pond.pebble("one", when: .any(sides)) {}
    let samples = try samples()
    let rows = Array(samples.circuit.network.cases.rows)

    for row in rows {
      #expect(samples.lane(where: [.signal(.init(gate: row))]) != nil)
      for other in rows where other != row {
        let both = [row, other].map { ScenarioSearch.Fact.signal(.init(gate: $0)) }
        #expect(samples.lane(where: both) == nil)
      }
    }
  }

  /// Checks that the samples contain the scenario that was added last. In the first one, every
  /// second of forty pebbles fails; in the other one, the others fail.
  @Test func whatIsLearnedLastIsKnown() throws {
    for number in 0..<40 { pond.pebble("\(number)") {} }
    var samples = try samples()

    for remainder in [0, 1] {
      let failing = (0..<40).filter { $0 % 2 == remainder }
      let facts = (0..<40).map { pebble in
        ScenarioSearch.Fact.signal(
          .init(pebble, failing.contains(pebble) ? .failed : .succeeded))
      }
      #expect(samples.lane(where: facts) == nil)
      // So many that there is no older one left.
      for _ in 0..<2_048 {
        samples.learn(.init(failing: failing, disabled: [], chosen: []))
      }

      let lane = try #require(samples.lane(where: facts))
      #expect(samples.scenario(atLane: lane).failing == failing)
    }
  }

  @Test func failuresThatAreNotNeededAreLeftOutTheFirstOnesFirst() throws {
    let pebbles = (0..<6).map { pond.pebble("\($0)") {} }
    pond.pebble("offline", when: .any(pebbles.map(\.failed))) {}
    var samples = try samples()
    let all = ScenarioSamples.Scenario(failing: Array(0..<6), disabled: [], chosen: [])
    let rows = samples.circuit.order

    #expect(samples.simplify(all, for: [.ran(6)], rows)?.failing == [5])
    #expect(samples.simplify(all, for: [.ran(6), .failed(2)], rows)?.failing == [2])
  }

  @Test func pebblesThatHaveNothingToDoWithTheFactsAreNotSaidToBeDisabled() throws {
    let load = pond.pebble("load", .enabled { true }) {}
    pond.pebble("beside", .enabled { true }) {}
    pond.pebble("show", when: load.skipped) {}
    let model = try pond.model()
    var samples = ScenarioSamples(Circuit(model.pond), nil, of: model.pond, optional: [0, 1])

    let simple = samples.simplify(
      .init(failing: [], disabled: [0, 1], chosen: []), for: [.ran(2)], [0, 2])

    #expect(simple?.disabled == [0])
  }

  @Test func scenarioInWhichTheFactsDoNotHoldIsNone() throws {
    pond.pebble("load") {}
    var samples = try samples()

    let simple = samples.simplify(
      .init(failing: [], disabled: [], chosen: []), for: [.failed(0)], [0])

    #expect(simple == nil)
  }
}
