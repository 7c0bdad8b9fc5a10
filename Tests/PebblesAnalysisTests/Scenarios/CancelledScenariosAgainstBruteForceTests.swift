import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// What is said of the scenarios of ponds whose runs a failure may cancel, against all moments at
/// which they can be, and all ways in which bodies end.
@Suite struct CancelledScenariosAgainstBruteForceTests {
  static let shards = Array(0..<5)

  @Test(arguments: shards)
  func lawsAreKeptWhateverIsCaught(shard: Int) async throws {
    var generator = SeededGenerator(seed: 11_000 + UInt64(shard))
    var counts = Counts()
    for _ in 0..<CancelledPondCount.perShard(of: Self.shards.count) {
      // Other tests want a turn.
      await Task.yield()
      let reference = ReferencePond.random(
        mostPebbles: 6, using: &generator)
      let pond = Pond("random", onFailure: .cancelAll)
      let pebbles = reference.define(in: pond)
      let scenarios = try pond.scenarios()
      let endings = CancelledEndings(reference)
      for _ in 0..<6 {
        let random = RandomLaw(pebbles, using: &generator)
        let result = try scenarios.check(random.law)
        if let problem = counts.problem(with: result, random, endings) {
          Issue.record("\(problem)\n\(result)\n\(reference)")
          return
        }
      }
      for (position, pebble) in pebbles.enumerated() {
        let runs = scenarios.runs(pebble)
        if let problem = counts.problem(with: runs, position, endings) {
          Issue.record(
            "\(pebble.name) runs \(runs.map { "\($0)" } ?? "?"): \(problem)\n\(reference)")
          return
        }
      }
    }
    // Few laws are lost: what holds in every ending is mostly said to be kept.
    #expect(counts.unknown * 100 <= counts.kept, "\(counts)")
    #expect(counts.imprecise * 100 <= counts.kept, "\(counts)")
  }
}

/// How many laws were decided in which way.
private struct Counts: CustomStringConvertible {
  var kept = 0
  var broken = 0

  /// Kept by every ending, but not said to be; and pebbles that always run, but are not said to.
  var unknown = 0

  /// Broken only by endings of runs that are not cut off as soon as they may be.
  var imprecise = 0

  var description: String {
    "\(kept) kept, \(broken) broken, \(unknown) unknown, \(imprecise) broken only late"
  }

  /// What is wrong with a result, if anything is.
  mutating func problem(
    with result: LawResult, _ random: RandomLaw, _ endings: CancelledEndings
  ) -> String? {
    let isKept = endings.all.allSatisfy(random.isKept)
    switch result.verdict {
    case .kept:
      kept += 1
      return isKept ? nil : "said to be kept"
    case .unknown:
      if isKept { unknown += 1 }
      return nil
    case .broken(let ending):
      broken += 1
      if endings.prompt.allSatisfy(random.isKept) { imprecise += 1 }
      let outcomes = ending.outcomes.map(\.asWithoutReason)
      let isThere = endings.all.contains { other in
        !random.isKept(other) && other.map(\.scenarioOutcome.asWithoutReason) == outcomes
      }
      return isThere ? nil : "no such ending"
    }
  }

  /// What is wrong with how often a pebble is said to run, if anything is.
  mutating func problem(
    with runs: Occurrence?, _ pebble: Int, _ endings: CancelledEndings
  ) -> String? {
    let count = endings.all.count { $0[pebble] == .succeeded || $0[pebble] == .failed }
    let truth: Occurrence =
      count == 0 ? .never : count == endings.all.count ? .always : .sometimes
    guard let runs else {
      if truth == .always { unknown += 1 }
      return nil
    }
    return runs == truth ? nil : "it does \(truth)"
  }
}

/// How many random ponds are looked at: a few in plain test runs, else four times as many as of
/// other kinds.
private enum CancelledPondCount {
  static func perShard(of shards: Int) -> Int {
    let usual = RandomPondCount.usual
    let chosen = RandomPondCount.chosen
    return (chosen == usual ? usual : 4 * chosen) / shards
  }
}

extension ScenarioOutcome {
  /// Skipped, for whatever reason.
  fileprivate var asWithoutReason: ScenarioOutcome { isSkipped ? .skipped : self }
}
