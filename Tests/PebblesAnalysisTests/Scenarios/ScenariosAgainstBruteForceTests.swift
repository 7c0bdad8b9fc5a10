import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that compare answers about all scenarios with an examination of each scenario.
@Suite(.watched) struct ScenariosAgainstBruteForceTests {
  @Test(arguments: 0..<5)
  func randomPondsAgreeInEverything(shard: Int) async throws {
    var generator = SeededGenerator(seed: 6_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      // Other tests want a turn.
      await Task.yield()
      // In half of them, of fewer pebbles, cases are told apart.
      var reference =
        Bool.random(using: &generator)
        ? ReferencePond.random(mostPebbles: 10, using: &generator)
        : .randomWithCases(mostPebbles: 7, mostEndings: 1_000, using: &generator)
      if shard % 2 == 1 { reference.giveSome(using: &generator) }
      // In some, even the smallest sub-expressions are compiled only once.
      let pond = shard < 2 ? Pond("random", smallestShared: 1) : Pond("random")
      let pebbles = reference.define(in: pond)
      let scenarios = try pond.scenarios()
      let all = AllEndings(reference)
      let laws = (0..<8).map { _ in RandomLaw(pebbles, of: reference, using: &generator) }

      let limited = try pond.scenarios(limit: Int.random(in: 2...60, using: &generator))
      let checks: [(String, () throws -> Bool)] = [
        ("exact", { scenarios.isExact }),
        ("outcomes", { outcomesAgree(SymbolicRun(scenarios.model, limit: 100_000), all) }),
        ("endings", { endingsAgree(scenarios, all, ReferenceMentions(reference)) }),
        ("failures", { failuresAgree(scenarios, all, NaiveHandling(reference)) }),
        ("occurrences", { occurrencesAgree(scenarios, all, pebbles) }),
        ("smallest failures", { try smallestFailuresAgree(scenarios, all, pebbles) }),
        ("laws", { try laws.allSatisfy { try lawAgrees($0, scenarios, all) } }),
        ("limited", { try limitedAgree(limited, all, pebbles, laws) }),
        ("counts", { try laws.allSatisfy { try countAgrees($0, scenarios, all) } }),
      ]
      if let wrong = try checks.first(where: { try !$0.1() })?.0 {
        Issue.record("\(wrong)\n\(reference)\n\(Array(scenarios.endings.prefix(20)))")
        return
      }
    }
  }

  private func outcomesAgree(_ run: SymbolicRun, _ all: AllEndings) -> Bool {
    all.endings.allSatisfy { ending in
      let network = run.model.pond.network
      let outcomes = run.outcomes { variable in
        switch variable {
        case .body(let pebble): ending.failed >> pebble & 1 == 0
        case .case(let row): ending.end.chooses(row, in: network)
        case .activation, .caught, .late: variable.usual
        }
      }
      return outcomes == ending.outcomes.map(\.withoutWaits)
    }
  }

  private func endingsAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ mentions: ReferenceMentions
  ) -> Bool {
    let expected = Set(all.endings.map { $0.end.withoutWaits.telling(mentions) })
    let endings = scenarios.endings.map { $0.reference.telling(mentions) }
    let isCounted = scenarios.count == UInt128(expected.count) && endings.count == expected.count
    return isCounted && Set(endings) == expected && isUsual(scenarios)
  }

  /// Returns whether the first ending is the usual one, in which every body succeeds and no named
  /// case holds.
  private func isUsual(_ scenarios: Scenarios) -> Bool {
    guard let first = scenarios.endings.first(where: { _ in true }) else { return false }
    let names = scenarios.model.pond.network.cases
    return first.failed.isEmpty && first.heldCases.allSatisfy { names[$0].name.isValue }
  }

  private func failuresAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ rule: NaiveHandling
  ) -> Bool {
    let unhandled = Set(all.endings.flatMap { rule.unhandledFailures($0.end) })
    return scenarios.unhandledFailures == unhandled.sorted().map { "p\($0)" }
      && scenarios.endings.allSatisfy { ending in
        ending.unhandledFailures == rule.unhandledFailures(ending.reference).map { "p\($0)" }
      }
  }

  /// Returns whether the known answers are right although the diagrams had too little room.
  private func limitedAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ pebbles: [ReferencePebble], _ laws: [RandomLaw]
  ) throws -> Bool {
    let expected = occurrences(all, pebbles)
    let mentions = ReferenceMentions(all.pond)
    let count = UInt128(Set(all.endings.map { $0.end.telling(mentions) }).count)
    let isKnown = zip(pebbles.map(scenarios.runs), expected).allSatisfy { $0 == nil || $0 == $1 }
    guard isKnown, (scenarios.count ?? count) == count else { return false }
    return try laws.allSatisfy { law in
      if try scenarios.check(law.law).verdict == .unknown { return true }
      return try lawAgrees(law, scenarios, all)
    }
  }

  private func occurrences(_ all: AllEndings, _ pebbles: [ReferencePebble]) -> [Occurrence] {
    pebbles.indices.map { pebble in
      let count = all.endings.count { $0.ran >> pebble & 1 == 1 }
      return count == 0 ? .never : count == all.endings.count ? .always : .sometimes
    }
  }

  private func occurrencesAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ pebbles: [ReferencePebble]
  ) -> Bool {
    let expected = occurrences(all, pebbles)
    func names(_ occurrence: Occurrence) -> [String] {
      expected.indices.filter { expected[$0] == occurrence }.map { "p\($0)" }
    }
    return scenarios.unknown.isEmpty && scenarios.alwaysRun == names(.always)
      && scenarios.neverRun == names(.never) && scenarios.sometimesRun == names(.sometimes)
      && pebbles.map(scenarios.runs) == expected
  }

  private func smallestFailuresAgree(
    _ scenarios: Scenarios, _ all: AllEndings, _ pebbles: [ReferencePebble]
  ) throws -> Bool {
    let byFailures = all.byFailures(among: pebbles.count).map { $0.map(\.ran) }
    for (position, pebble) in pebbles.enumerated() {
      for runs in [true, false] {
        let found = try scenarios.smallestFailures(
          leadingTo: runs ? pebble.completed : pebble.skipped, atMost: 10_000)
        let expected = Self.minimalSets(
          byFailures.indices.filter { failing in
            byFailures[failing].contains { ($0 >> position & 1 == 1) == runs }
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

  private func lawAgrees(
    _ random: RandomLaw, _ scenarios: Scenarios, _ all: AllEndings
  ) throws -> Bool {
    let result = try scenarios.check(random.law)
    let violations = all.endings.filter { !random.isKept($0.end) }
    guard let counterexample = result.counterexample else {
      return result.isKept && violations.isEmpty
    }
    let failed = Self.mask(counterexample.failed)
    let found = counterexample.reference.telling(random.mentions)
    return failed.nonzeroBitCount == violations.map(\.failed.nonzeroBitCount).min()
      && violations.contains {
        $0.failed == failed && $0.end.withoutWaits.telling(random.mentions) == found
      }
  }

  private func countAgrees(
    _ random: RandomLaw, _ scenarios: Scenarios, _ all: AllEndings
  ) throws -> Bool {
    let ends = all.endings.map(\.end)
    let kept = Set(ends.filter(random.isKept).map { $0.telling(random.mentions) })
    let broken = Set(ends.filter { !random.isKept($0) }.map { $0.telling(random.mentions) })
    let isKept = random.law.condition
    return try scenarios.count(where: isKept) == UInt128(kept.count)
      && scenarios.tally(of: [isKept])
        == [broken.count, kept.count].prefix(kept.isEmpty ? 1 : 2)
        .map { UInt128($0) }
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

extension ReferenceEnding {
  fileprivate var withoutWaits: ReferenceEnding {
    ReferenceEnding(outcomes.map(\.withoutWaits), held: held)
  }

  /// Returns whether the case of a row holds, even if that is determined by other choices.
  fileprivate func chooses(_ row: Int, in network: ReadinessNetwork) -> Bool {
    let owner = network.cases[row]
    return held[owner.pebble].contains(owner.name)
  }
}

extension Ending {
  /// The ending in the form that the reference uses.
  var reference: ReferenceEnding {
    ReferenceEnding(
      outcomes.map { outcome in
        switch outcome {
        case .succeeded: .succeeded
        case .failed: .failed
        case .stalled: .skipped(.stall(waitingOn: []))
        case .skipped, .disabled, .notAskedFor, .cancelled: .skipped(.condition)
        }
      }, held: outcomes.indices.map { Set(cases(at: $0)) })
  }
}
