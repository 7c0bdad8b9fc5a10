import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// What is said of all scenarios, against looking at each of them.
@Suite struct ScenariosAgainstBruteForceTests {
  static let shards = 0..<5
  static let pondsPerShard = 1_000

  @Test(arguments: shards)
  func endingsAreThoseOfTheReferenceEachOnce(shard: Int) throws {
    try forEachPond(seed: 6_000 + shard) { pond, all, scenarios, _ in
      let expected = all.endings.map { $0.outcomes.map(\.scenarioOutcome) }
      let endings = Array(scenarios.endings)
      let outcomes = Set(endings.map(\.outcomes))
      return scenarios.isExact && scenarios.count == UInt128(expected.count)
        && endings.count == expected.count && outcomes == Set(expected)
    }
  }

  @Test(arguments: shards)
  func pebblesRunAlwaysOrNeverIfTheyDoInTheReference(shard: Int) throws {
    try forEachPond(seed: 6_100 + shard) { pond, all, scenarios, pebbles in
      let runs = pond.conditions.indices.map { pebble in
        all.endings.count { $0.ran >> pebble & 1 == 1 }
      }
      func names(where isIncluded: (Int) -> Bool) -> [String] {
        runs.indices.filter { isIncluded(runs[$0]) }.map { "p\($0)" }
      }
      let isListed =
        scenarios.alwaysRun == names { $0 == all.endings.count }
        && scenarios.neverRun == names { $0 == 0 }
        && scenarios.sometimesRun == names { 0 < $0 && $0 < all.endings.count }
      return isListed && scenarios.unknown.isEmpty
        && zip(pebbles, runs).allSatisfy { pebble, count in
          scenarios.runs(pebble)
            == (count == 0 ? .never : count == all.endings.count ? .always : .sometimes)
        }
    }
  }

  @Test(arguments: shards)
  func smallestFailuresAreTheMinimalSetsAmongAll(shard: Int) throws {
    try forEachPond(seed: 6_200 + shard) { pond, all, scenarios, pebbles in
      let byFailures = (0..<1 << pebbles.count).map { all.ending(failing: $0) }
      for (position, pebble) in pebbles.enumerated() {
        for runs in [true, false] {
          let goal = runs ? pebble.completed : pebble.skipped
          let found = try scenarios.smallestFailures(leadingTo: goal, atMost: 10_000)
          let expected = Self.minimalSets(
            byFailures.indices.filter { failed in
              byFailures[failed].map { ($0.ran >> position & 1 == 1) == runs } ?? false
            })
          let masks = found.sets.map(Self.mask)
          let sizes = masks.map(\.nonzeroBitCount)
          guard found.isComplete, masks.count == expected.count, Set(masks) == Set(expected),
            sizes == sizes.sorted()
          else { return false }
        }
      }
      return true
    }
  }

  @Test(arguments: shards)
  func brokenLawsAreFoundWithTheFewestFailures(shard: Int) throws {
    var generator = SeededGenerator(seed: 6_300 + UInt64(shard))
    try forEachPond(seed: 6_400 + shard) { pond, all, scenarios, pebbles in
      for _ in 0..<8 {
        let random = RandomLaw(pebbles, using: &generator)
        let result = try scenarios.check(random.law)
        let violations = all.endings.filter { !random.isKept($0.outcomes) }
        let fewest = violations.map(\.failed.nonzeroBitCount).min()
        guard let counterexample = result.counterexample else {
          guard result.isKept, violations.isEmpty else { return false }
          continue
        }
        let failed = Self.mask(counterexample.failed)
        let ending = violations.first { $0.failed == failed }
        guard failed.nonzeroBitCount == fewest,
          ending?.outcomes.map(\.scenarioOutcome) == counterexample.outcomes
        else { return false }
      }
      return true
    }
  }

  private func forEachPond(
    seed: Int,
    _ agrees: (ReferencePond, AllEndings, Scenarios, [Pebble<Void>]) throws -> Bool
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<Self.pondsPerShard {
      let reference = ReferencePond.random(
        mostPebbles: 10, withPredicates: false, using: &generator)
      let pond = Pond("random")
      let pebbles = reference.define(in: pond)
      let scenarios = try pond.scenarios()
      let all = AllEndings(reference)
      guard try agrees(reference, all, scenarios, pebbles) else {
        Issue.record("\(reference)\n\(all)\n\(Array(scenarios.endings))")
        return
      }
    }
  }

  private static func minimalSets(_ sets: [Int]) -> [Int] {
    sets.filter { set in !sets.contains { $0 != set && $0 & set == $0 } }
  }

  private static func mask(_ names: [String]) -> Int {
    names.compactMap { Int($0.dropFirst()) }.reduce(0) { $0 | 1 << $1 }
  }
}

/// A law over random atoms, with what it means.
private struct RandomLaw {
  let law: Law
  let isKept: ([ReferenceOutcome]) -> Bool

  init(_ pebbles: [Pebble<Void>], using generator: inout SeededGenerator) {
    var atoms: [(condition: Condition, isTrue: ([ReferenceOutcome]) -> Bool)] = []
    for _ in 0..<Int.random(in: 2...4, using: &generator) {
      let position = Int.random(in: 0..<pebbles.count, using: &generator)
      let kinds = ReferencePond.OutcomeKind.allCases
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
      let condition = kind.condition(of: pebbles[position])
      atoms.append((condition, { kind.accepts($0[position]) }))
    }
    let (first, second) = (atoms[0], atoms[1])
    let conditions = atoms.map(\.condition)
    let count = { (outcomes: [ReferenceOutcome]) in atoms.count { $0.isTrue(outcomes) } }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: (law, isKept) = (.always(first.condition), first.isTrue)
    case 1: (law, isKept) = (.never(first.condition), { !first.isTrue($0) })
    case 2: (law, isKept) = (.exactlyOne(of: conditions), { count($0) == 1 })
    case 3: (law, isKept) = (.atMostOne(of: conditions), { count($0) <= 1 })
    case 4:
      law = .implies(first.condition, second.condition)
      isKept = { !first.isTrue($0) || second.isTrue($0) }
    default:
      law = .eventually(first.condition, whenever: second.condition)
      isKept = { !second.isTrue($0) || first.isTrue($0) }
    }
  }
}

extension ReferencePond.OutcomeKind {
  func condition(of pebble: Pebble<Void>) -> Condition {
    switch self {
    case .succeeded: pebble.succeeded
    case .failed: pebble.failed
    case .skipped: pebble.skipped
    case .completed: pebble.completed
    case .settled: pebble.settled
    }
  }
}

extension ReferenceOutcome {
  var scenarioOutcome: ScenarioOutcome {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped(.condition): .skipped
    case .skipped(.stall): .stalled
    case .skipped(.predicate): .predicateNeverHeld
    }
  }
}
