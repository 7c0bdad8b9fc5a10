import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests that the what-if results of the page agree with the simulator for conditions on cases, and
/// for the goal.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct CaseSuppositionTests {
  @Test(arguments: 0..<4)
  func suppositionsEndAsSimulationsDo(shard: Int) throws {
    var generator = SeededGenerator(seed: 13_500 + UInt64(shard))
    let mostPebbles = shard.isMultiple(of: 2) ? 7 : 16
    let cases = try (0..<Thoroughness.times(60)).map { _ in
      try Self.supposed(mostPebbles: mostPebbles, using: &generator)
    }

    let different = try JavaScript.result(
      of: """
        const cases = [\(cases.joined(separator: ",\n"))];
        const words = { cancelled: wasCancelled, disabled: wasDisabled };
        return cases.findIndex(({ run, bodies, held, disabled }) => {
          const expected = run.pebbles.map(({ outcome, reason, blocked }) =>
            outcome !== 'skipped' ? outcomeNames.indexOf(outcome)
              : words[reason] ?? (blocked ? wasBlocked : wasNotNeeded)).join();
          const ends = supposedEnds(new Network(run.pond), { bodies, held, disabled });
          return ends.join() !== expected || new Run(run).ends.join() !== expected
            || Boolean(ends.goal) !== run.goalReached;
        });
        """)

    guard let index = Int(different), index >= 0 else { return #expect(different == "-1") }
    Issue.record("the page says otherwise than the simulator: \(cases[index])")
  }

  @Test func theWaysOfAPebbleAreItsCases() throws {
    let run = try CasePond().run()

    let ways = try JavaScript.result(
      of: """
        const { pond } = \(run.json()), words = ['succeeds', 'fails'];
        return pond.pebbles.slice(0, 4).map(pebble => [failed, succeeded].flatMap(outcome =>
          waysOf(pebble, outcome).map(({ held }) =>
            [words[outcome], ...held.map(place => captionOf(pebble.cases[place]))].join(' ')))
          .join(' / ')).join('\\n');
        """)

    #expect(
      ways == """
        fails / fails as locked / fails as full / succeeds
        fails / succeeds / succeeds as beta
        fails / fails timed out / succeeds with heads / succeeds with tails
        fails / succeeds
        """)
  }

  // MARK: Random ponds

  private static func supposed(
    mostPebbles: Int, using generator: inout SeededGenerator
  ) throws -> String {
    let model = try randomPond(mostPebbles: mostPebbles, using: &generator).model()
    var plan = SimulationPlan()
    for pebble in 0..<model.count {
      if Bool.random(using: &generator) { plan.failures[pebble] = "" }
      if Int.random(in: 0..<20, using: &generator) == 0 { plan.disabled.insert(pebble) }
      plan.cases[pebble] = held(
        model.pond.graph.cases[pebble]?.cases ?? [], using: &generator)
    }
    let run = Simulator(model, plan).run()
    let bodies = (0..<model.count).map { plan.failures[$0] == nil ? 0 : 1 }
    let held = (0..<model.count).map { pebble in
      (0..<64).filter { plan.cases(of: pebble).contains(place: $0) }
    }
    return """
      {"run": \(run.json()), "bodies": \(bodies), "held": \(held), \
      "disabled": \(plan.disabled.sorted())}
      """
  }

  private static func held(
    _ cases: [PebbleCase], using generator: inout SeededGenerator
  ) -> CaseSet {
    var set = CaseSet()
    // Of a timeout no other case of failed holds.
    let isTimeout = Int.random(in: 0..<4, using: &generator) == 0
    for (place, one) in cases.enumerated() where !one.isValue && Bool.random(using: &generator) {
      if one.isFailure, (one == .timedOut) != isTimeout { continue }
      set.insert(place: place)
    }
    let values = cases.indices.filter { cases[$0].isValue }
    if let value = values.randomElement(using: &generator) { set.insert(place: value) }
    return set
  }

  private static func randomPond(
    mostPebbles: Int, using generator: inout SeededGenerator
  ) -> Pond {
    let pond = Pond("random")
    let pebbles = (0..<Int.random(in: 1...mostPebbles, using: &generator)).map { number in
      pond.pebble("p\(number)", .enabled { true }) { CasePond.Side.heads }
    }
    let atoms = pebbles.flatMap { pebble in
      let named = pebble.failed("named") { _ in false }
      let other = pebble.failed("other") { _ in false }
      let good = pebble.succeeded("good") { _ in false }
      return [
        pebble.succeeded, pebble.failed, pebble.skipped, pebble.completed, named, other, good,
        pebble.is(.heads), pebble.is(.tails), pebble.timedOut,
      ]
    }
    func condition(_ depth: Int) -> Condition {
      let atom = atoms.randomElement(using: &generator) ?? .always
      guard depth > 0 else { return atom }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: return !condition(depth - 1)
      case 1: return condition(depth - 1) && condition(depth - 1)
      case 2: return condition(depth - 1) || condition(depth - 1)
      case 3: return .any((0..<3).map { _ in condition(depth - 1) })
      case 4: return condition(depth - 1).labeled("why")
      case 5: return !atom
      default: return atom
      }
    }
    for pebble in pebbles where Int.random(in: 0..<4, using: &generator) > 0 {
      pebble.ready = condition(3)
    }
    pond.goal = condition(2)
    return pond
  }
}
