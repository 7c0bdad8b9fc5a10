import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests that the what-if results of the page agree with the simulator, including cycles, stalls,
/// disabled and cancelled pebbles, and blocked skips.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct SuppositionTests {
  @Test(arguments: 0..<8)
  func suppositionsEndAsSimulationsDo(shard: Int) throws {
    var generator = SeededGenerator(seed: 13_000 + UInt64(shard))
    let mostPebbles = shard.isMultiple(of: 2) ? 9 : 24
    let cases = try (0..<Thoroughness.times(60)).map { _ in
      try SupposedCase(mostPebbles: mostPebbles, using: &generator)
    }

    let different = try JavaScript.result(
      of: """
        const cases = [\(cases.map(\.json).joined(separator: ",\n"))];
        const ends = ({ run, bodies, disabled, cancelled }) => {
          return supposedEnds(new Network(run.pond), { bodies, disabled, cancelled });
        };
        const words = { cancelled: wasCancelled, disabled: wasDisabled };
        return cases.findIndex(one => {
          const expected = one.run.pebbles.map(({ outcome, reason, blocked }) =>
            outcome !== 'skipped' ? outcomeNames.indexOf(outcome)
              : words[reason] ?? (blocked ? wasBlocked : wasNotNeeded));
          // What a cancelled pebble that stalls is called is a matter of when it was cancelled.
          const plain = outcome => Math.min(outcome, skipped);
          const said = one.cancelled.length ? ends(one).map(plain) : ends(one);
          const simulated = one.cancelled.length ? expected.map(plain) : expected;
          return said.join() !== simulated.join()
            || new Run(one.run).ends.join() !== expected.join();
        });
        """)

    guard let index = Int(different), index >= 0 else { return #expect(different == "-1") }
    Issue.record("the page says otherwise than the simulator: \(cases[index].json)")
  }

  @Test func aLongChainOfCyclesTakesOnePass() throws {
    let pond = Pond("cycles")
    var before: Pebble<Void>?
    for number in 0..<3_000 {
      let one = pond.pebble("one\(number)") {}
      let other = pond.pebble("other\(number)", when: one.succeeded) {}
      one.ready = before.map { other.succeeded && $0.skipped } ?? other.succeeded
      before = other
    }
    let run = Simulator(try pond.model(), SimulationPlan()).run()

    let skipped = try JavaScript.result(
      of: """
        const run = \(run.json());
        const ending = suppose(new Network(run.pond), { bodies: new Uint8Array(6000) });
        return ending.filter(outcome => outcome === skipped).length;
        """)

    #expect(skipped == "6000")
  }
}

private struct SupposedCase {
  let json: String

  init(mostPebbles: Int, using generator: inout SeededGenerator) throws {
    let pond = ReferencePond.random(
      mostPebbles: mostPebbles, using: &generator)
    let model = try pond.definedPond().model()
    var plan = SimulationPlan()
    for (position, succeeds) in pond.succeeds.enumerated() {
      if !succeeds { plan.failures[position] = "" }
      switch Int.random(in: 0..<24, using: &generator) {
      case 0: plan.disabled.insert(position)
      case 1: plan.cancelled.insert(position)
      default: break
      }
    }
    let run = Simulator(model, plan).run()
    let bodies = pond.succeeds.map { $0 ? 0 : 1 }
    json = """
      {"run": \(run.json()), "bodies": \(bodies), "disabled": \(plan.disabled.sorted()), \
      "cancelled": \(plan.cancelled.sorted())}
      """
  }
}
