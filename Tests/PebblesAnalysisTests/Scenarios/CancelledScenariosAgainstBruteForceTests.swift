import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// What is said of the scenarios of ponds whose runs a failure may cancel, against all moments at
/// which it can, and all ways in which bodies end: with cycles, and pebbles that may be disabled.
@Suite struct CancelledScenariosAgainstBruteForceTests {
  static let shards = Array(0..<5)

  @Test(arguments: shards)
  func allThatIsSaidIsTrueOfEveryRun(shard: Int) async throws {
    var generator = SeededGenerator(seed: 11_000 + UInt64(shard))
    var counts = Counts()
    for _ in 0..<CancelledPondCount.perShard(of: Self.shards.count) {
      // Other tests want a turn.
      await Task.yield()
      var reference = ReferencePond.random(mostPebbles: 6, using: &generator)
      if Bool.random(using: &generator) { reference.stallWithOpenFailure(using: &generator) }
      let trial = try Trial(reference, using: &generator)
      counts.note(trial)
      let runProblem = try await trial.problemWithRuns()
      if let problem = try runProblem ?? trial.problem(&counts, using: &generator) {
        Issue.record("\(problem)\noptional: \(trial.optional)\n\(reference)")
        return
      }
    }
    // It would be easy to be right about nothing.
    #expect(counts.unknown == 0, "\(counts)")
    #expect(counts.kept > 0 && counts.broken > 0, "\(counts)")
    #expect(counts.cutOffStalls > 0 && counts.dependentOnOrder > 0, "\(counts)")
  }
}

/// How much was looked at, and how many laws were decided in which way.
private struct Counts: CustomStringConvertible {
  var moments = 0
  var kept = 0
  var broken = 0
  var unknown = 0

  /// Ponds that stall under the policy, and those of them in which the order of ends decides.
  var cutOffStalls = 0
  var dependentOnOrder = 0

  mutating func note(_ trial: Trial) {
    moments += trial.endings.momentCount
    if trial.scenarios.diagrams.areStallsCutOff { cutOffStalls += 1 }
    if !trial.scenarios.isExact { dependentOnOrder += 1 }
  }

  var description: String {
    "\(moments) moments, \(kept) kept, \(broken) broken, \(unknown) unknown, "
      + "\(cutOffStalls) with stalls, \(dependentOnOrder) that depend on order"
  }
}

/// One pond, and all its endings.
private struct Trial {
  let pond = Pond("random", onFailure: .cancelAll)
  let pebbles: [Pebble<Void>]
  let optional: [Int]
  let scenarios: Scenarios
  let endings: CancelledEndings

  /// The endings of runs in which all take part.
  let complete: CancelledEndings

  init(_ reference: ReferencePond, using generator: inout SeededGenerator) throws {
    let count = reference.conditions.count
    optional = (0..<count).filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
    pebbles = reference.define(in: pond, optional: optional)
    scenarios = try pond.scenarios()
    endings = CancelledEndings(reference, optional: optional)
    complete = CancelledEndings(reference)
  }

  /// What is wrong with brute force itself, if a real run ends otherwise.
  func problemWithRuns() async throws -> String? {
    for _ in 0..<3 {
      let report = try await pond.run()
      let outcomes = pebbles.map { pebble -> ReferenceOutcome in
        switch report.outcome(of: pebble) {
        case .succeeded: .succeeded
        case .failed: .failed
        case .skipped: .skipped(.condition)
        }
      }
      if !complete.all.contains(outcomes) { return "a run ends otherwise:\n\(report)" }
    }
    return nil
  }

  func problem(_ counts: inout Counts, using generator: inout SeededGenerator) throws -> String? {
    for _ in 0..<6 {
      let random = RandomLaw(pebbles, using: &generator)
      if let problem = try self.problem(with: random, &counts) { return problem }
    }
    for pebble in pebbles.indices {
      if let problem = try problem(withPebble: pebble) { return problem }
    }
    let failing = pebbles.filter { _ in Int.random(in: 0..<2, using: &generator) == 0 }
    let ending = try scenarios.ending(failing: failing)
    if !complete.all.contains(ending.reference) {
      return "no run ends so, failing \(failing.map(\.name)):\n\(ending)"
    }
    return problemWithEndings
  }

  private func problem(with random: RandomLaw, _ counts: inout Counts) throws -> String? {
    let isKept = endings.all.allSatisfy(random.isKept)
    let result = try scenarios.check(random.law)
    switch result.verdict {
    case .kept:
      counts.kept += 1
      if !isKept { return "said to be kept: \(random.law)" }
    case .unknown:
      counts.unknown += 1
    case .broken(let ending):
      counts.broken += 1
      let outcomes = ending.reference
      if random.isKept(outcomes) || !endings.all.contains(outcomes) {
        return "no such ending:\n\(result)"
      }
    }
    let occurrence = try scenarios.occurrence(of: random.law.condition)
    let expected = self.occurrence(random.isKept)
    if occurrence == expected { return nil }
    return "\(random.law) is true \(expected), not \(String(describing: occurrence))"
  }

  private func problem(withPebble position: Int) throws -> String? {
    let pebble = pebbles[position]
    let runs = scenarios.runs(pebble)
    let expected = occurrence { $0[position].ran }
    if runs != expected {
      return "\(pebble.name) runs \(expected), not \(String(describing: runs))"
    }
    for hasRun in [true, false] {
      let goal = hasRun ? pebble.completed : pebble.skipped
      let found = try scenarios.smallestFailures(leadingTo: goal, atMost: 10_000)
      let leading = complete.all.filter { $0[position].ran == hasRun }
      let sets = Set(leading.map { ending in ending.indices.filter { ending[$0] == .failed } })
      let minimal = sets.filter { set in
        !sets.contains { $0 != set && Set($0).isSubset(of: set) }
      }
      let expected = Set(minimal.map { $0.map { "p\($0)" } })
      if !found.isComplete || Set(found.sets) != expected {
        return "\(goal) needs \(expected), not \(found)"
      }
    }
    return nil
  }

  private var problemWithEndings: String? {
    let all = Array(scenarios.endings)
    if let wrong = all.first(where: { !endings.all.contains($0.reference) }) {
      return "no run ends so:\n\(wrong)"
    }
    if Set(all.map(\.outcomes)).count != all.count { return "an ending comes twice" }
    let unhandled = Set(all.flatMap(\.unhandledFailures))
    if let found = scenarios.unhandledFailures, Set(found) != unhandled {
      return "the failures of \(unhandled) are unhandled, not of \(found)"
    }
    guard let count = scenarios.count else {
      return scenarios.isExact ? "they are not counted" : nil
    }
    return count == UInt128(all.count) ? nil : "\(count) endings, and not \(all.count)"
  }

  private func occurrence(_ isTrue: ([ReferenceOutcome]) -> Bool) -> Occurrence {
    let count = endings.all.count(where: isTrue)
    return count == 0 ? .never : count == endings.all.count ? .always : .sometimes
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

extension ReferencePond {
  /// Makes the first pebbles ones of which a failure may stay open over a stall, for a pebble that
  /// reads what starts after it. Chance rarely does.
  fileprivate mutating func stallWithOpenFailure(using generator: inout SeededGenerator) {
    guard conditions.count >= 5 else { return }
    let kind = OutcomeKind.allCases.randomElement(using: &generator) ?? .succeeded
    conditions[0] = .constant(true)
    conditions[1] = .atom(2, .succeeded, isNegated: false)
    conditions[2] = .atom(1, .completed, isNegated: false)
    conditions[3] = .atom(1, .skipped, isNegated: false)
    let open = Formula.atom(0, .failed, isNegated: false)
    conditions[4] = .all([open, .atom(3, kind, isNegated: Bool.random(using: &generator))])
  }
}

extension ReferenceOutcome {
  fileprivate var ran: Bool { self == .succeeded || self == .failed }
}

extension Ending {
  fileprivate var reference: [ReferenceOutcome] {
    outcomes.map { $0 == .succeeded ? .succeeded : $0 == .failed ? .failed : .skipped(.condition) }
  }
}
