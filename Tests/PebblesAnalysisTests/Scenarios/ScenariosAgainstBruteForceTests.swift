import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// What is said of all scenarios, against looking at each of them.
@Suite struct ScenariosAgainstBruteForceTests {
  @Test(arguments: 0..<5)
  func randomPondsAgreeInEverything(shard: Int) async throws {
    var generator = SeededGenerator(seed: 6_000 + UInt64(shard))
    for _ in 0..<RandomPondCount.perShard(of: 5) {
      // Other tests want a turn.
      await Task.yield()
      let reference = ReferencePond.random(
        mostPebbles: 10, using: &generator)
      // In some, even the smallest sub-expressions are compiled only once.
      let pond = shard < 2 ? Pond("random", smallestShared: 1) : Pond("random")
      let pebbles = reference.define(in: pond)
      let scenarios = try pond.scenarios()
      let all = AllEndings(reference)
      let laws = (0..<8).map { _ in RandomLaw(pebbles, using: &generator) }

      guard scenarios.isExact,
        outcomesAgree(SymbolicRun(scenarios.model, limit: 100_000), all),
        endingsAgree(scenarios, all),
        occurrencesAgree(scenarios, all, pebbles),
        try smallestFailuresAgree(scenarios, all, pebbles),
        try laws.allSatisfy({ try lawAgrees($0, scenarios, all) })
      else {
        Issue.record("\(reference)\n\(Array(scenarios.endings))")
        return
      }
    }
  }

  private func outcomesAgree(_ run: SymbolicRun, _ all: AllEndings) -> Bool {
    all.endings.allSatisfy { ending in
      let outcomes = run.outcomes { variable in
        guard case .body(let pebble) = variable else { return true }
        return ending.failed >> pebble & 1 == 0
      }
      return outcomes == ending.outcomes.map(\.withoutWaits)
    }
  }

  private func endingsAgree(_ scenarios: Scenarios, _ all: AllEndings) -> Bool {
    let expected = all.endings.map { $0.outcomes.map(\.scenarioOutcome) }
    let endings = scenarios.endings.map(\.outcomes)
    let isCounted = scenarios.count == UInt128(expected.count) && endings.count == expected.count
    return isCounted && Set(endings) == Set(expected)
  }

  private func occurrencesAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ pebbles: [Pebble<Void>]
  ) -> Bool {
    let expected = pebbles.indices.map { pebble -> Occurrence in
      let count = all.endings.count { $0.ran >> pebble & 1 == 1 }
      return count == 0 ? .never : count == all.endings.count ? .always : .sometimes
    }
    func names(_ occurrence: Occurrence) -> [String] {
      expected.indices.filter { expected[$0] == occurrence }.map { "p\($0)" }
    }
    return scenarios.unknown.isEmpty && scenarios.alwaysRun == names(.always)
      && scenarios.neverRun == names(.never) && scenarios.sometimesRun == names(.sometimes)
      && pebbles.map(scenarios.runs) == expected
  }

  private func smallestFailuresAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ pebbles: [Pebble<Void>]
  ) throws -> Bool {
    let byFailures = all.byFailures(among: pebbles.count).map(\.ran)
    for (position, pebble) in pebbles.enumerated() {
      for runs in [true, false] {
        let found = try scenarios.smallestFailures(
          leadingTo: runs ? pebble.completed : pebble.skipped, atMost: 10_000)
        let expected = Self.minimalSets(
          byFailures.indices.filter { (byFailures[$0] >> position & 1 == 1) == runs })
        let masks = found.sets.map(Self.mask)
        let sizes = masks.map(\.nonzeroBitCount)
        guard found.isComplete, masks.count == expected.count, Set(masks) == Set(expected),
          sizes == sizes.sorted()
        else { return false }
      }
    }
    return true
  }

  private func lawAgrees(
    _ random: RandomLaw, _ scenarios: Scenarios, _ all: AllEndings
  ) throws -> Bool {
    let result = try scenarios.check(random.law)
    let violations = all.endings.filter { !random.isKept($0.outcomes) }
    guard let counterexample = result.counterexample else {
      return result.isKept && violations.isEmpty
    }
    let failed = Self.mask(counterexample.failed)
    let ending = violations.first { $0.failed == failed }
    return failed.nonzeroBitCount == violations.map(\.failed.nonzeroBitCount).min()
      && ending?.outcomes.map(\.scenarioOutcome) == counterexample.outcomes
  }

  private static func minimalSets(_ sets: [Int]) -> [Int] {
    // A set that is not minimal contains a minimal one, which is smaller.
    sets.sorted { $0.nonzeroBitCount < $1.nonzeroBitCount }.reduce(into: []) { minimal, set in
      if !minimal.contains(where: { $0 & set == $0 }) { minimal.append(set) }
    }
  }

  private static func mask(_ names: [String]) -> Int {
    names.compactMap { Int($0.dropFirst()) }.reduce(0) { $0 | 1 << $1 }
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
    }
  }
}
