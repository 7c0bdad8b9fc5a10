import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that compare the scenarios of ponds in which a failure cancels the run with a brute-force
/// search. The search tries every time at which the run can be cancelled, and every way in which
/// bodies can end. Some of the ponds have cycles, and pebbles that may be disabled.
@Suite(.watched) struct CancelledScenariosAgainstBruteForceTests {
  static let shards = Array(0..<5)

  @Test(arguments: shards)
  func allThatIsSaidIsTrueOfEveryRun(shard: Int) async throws {
    var generator = SeededGenerator(seed: 11_000 + UInt64(shard))
    var counts = Counts()
    for _ in 0..<Thoroughness.times(100) {
      // Other tests want a turn.
      await Task.yield()
      // In half of them, of fewer pebbles, cases are told apart.
      var reference =
        Bool.random(using: &generator)
        ? ReferencePond.random(mostPebbles: 6, using: &generator)
        : .randomWithCases(mostPebbles: 5, mostEndings: 200, using: &generator)
      if Bool.random(using: &generator) { reference.stallWithOpenFailure(using: &generator) }
      if Bool.random(using: &generator) { reference.giveSome(using: &generator) }
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

/// The amount of work done, and the numbers of laws with each verdict.
private struct Counts: CustomStringConvertible {
  var moments = 0
  var kept = 0
  var broken = 0
  var unknown = 0

  /// The number of ponds in which stalls can be cut off. Similarly, `dependentOnOrder` counts the
  /// ponds in which endings depend on the order in which bodies end.
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

/// A random pond with its scenarios and all of its endings.
private struct Trial {
  let pond = Pond("random", onFailure: .cancelAll)
  let reference: ReferencePond
  let pebbles: [ReferencePebble]
  let optional: [Int]
  let scenarios: Scenarios
  let endings: CancelledEndings

  /// The endings of runs in which all pebbles are enabled.
  let complete: CancelledEndings

  init(_ reference: ReferencePond, using generator: inout SeededGenerator) throws {
    self.reference = reference
    let count = reference.conditions.count
    optional = (0..<count).filter {
      Int.random(in: 0..<6, using: &generator) == 0 && !reference.given.contains($0)
    }
    pebbles = reference.define(in: pond, optional: optional)
    scenarios = try pond.scenarios()
    endings = CancelledEndings(reference, optional: optional)
    complete = CancelledEndings(reference)
  }

  /// Returns a description of an error in the brute-force search itself, if the ending of a real
  /// run is not among its endings; otherwise `nil`.
  func problemWithRuns() async throws -> String? {
    for _ in 0..<3 {
      let report = try await pond.run()
      let outcomes = report.records.map { record -> ReferenceOutcome in
        switch record.outcome {
        case .succeeded: .succeeded
        case .failed: .failed
        case .skipped: .skipped(.condition)
        }
      }
      let held = report.records.map { Set($0.cases) }
      if !complete.all.contains(ReferenceEnding(outcomes, held: held)) {
        return "a run ends otherwise:\n\(report)"
      }
    }
    return nil
  }

  func problem(_ counts: inout Counts, using generator: inout SeededGenerator) throws -> String? {
    for _ in 0..<6 {
      let random = RandomLaw(pebbles, of: reference, using: &generator)
      if let problem = try self.problem(with: random, &counts) { return problem }
    }
    for pebble in pebbles.indices {
      if let problem = try problem(withPebble: pebble) { return problem }
    }
    let assumed = pebbles.indices.map { assumption(of: $0, using: &generator) }
    let ending = try scenarios.ending(given: assumed)
    if !complete.all.contains(ending.reference.withoutReasons) {
      return "no run ends so, given \(assumed):\n\(ending)"
    }
    return problemWithEndings
  }

  /// Returns a random assumption about a pebble, in which at most one case holds.
  private func assumption(
    of pebble: Int, using generator: inout SeededGenerator
  ) -> Assumption {
    let decisions = reference.decisions(of: pebble).filter { $0.cases.count <= 1 }
    let decision = decisions.randomElement(using: &generator) ?? decisions[0]
    let name = pebbles[pebble]
    guard let one = decision.cases.first else {
      return decision.succeeds ? .succeeds(name) : .fails(name)
    }
    return decision.succeeds ? .succeeds(name, as: one) : .fails(name, as: one)
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
      let found = ending.reference.withoutReasons
      let isThere = endings.all.contains {
        $0.telling(random.mentions) == found.telling(random.mentions)
      }
      if random.isKept(found) || !isThere {
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
    let expected = occurrence { $0.outcomes[position].ran }
    if runs != expected {
      return "\(pebble.name) runs \(expected), not \(String(describing: runs))"
    }
    for hasRun in [true, false] {
      let goal = hasRun ? pebble.completed : pebble.skipped
      let found = try scenarios.smallestFailures(leadingTo: goal, atMost: 10_000)
      let leading = complete.all.filter { $0.outcomes[position].ran == hasRun }
      let sets = Set(leading.map(\.failed))
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
    let mentions = ReferenceMentions(reference)
    let expected = Set(endings.all.map { $0.telling(mentions) })
    let isWrong = { (ending: Ending) in
      !expected.contains(ending.reference.withoutReasons.telling(mentions))
    }
    if let wrong = all.first(where: isWrong) { return "no run ends so:\n\(wrong)" }
    if Set(all.map { $0.told(by: mentions) }).count != all.count { return "an ending comes twice" }
    var rules: [[Int]: NaiveHandling] = [:]
    for ending in all where !ending.isCancelled {
      let disabled = ending.outcomes.indices.filter { ending.outcomes[$0] == .disabled }
      let rule = rules[disabled] ?? NaiveHandling(reference.disabling(disabled))
      rules[disabled] = rule
      let expected = rule.unhandledFailures(ending.reference).map { "p\($0)" }
      if expected != ending.unhandledFailures {
        return "the failures of \(expected) are unhandled in\n\(ending)"
      }
    }
    let unhandled = Set(all.flatMap(\.unhandledFailures))
    if let found = scenarios.unhandledFailures, Set(found) != unhandled {
      return "the failures of \(unhandled) are unhandled, not of \(found)"
    }
    guard let count = scenarios.count else {
      return scenarios.isExact ? "they are not counted" : nil
    }
    return count == UInt128(all.count) ? nil : "\(count) endings, and not \(all.count)"
  }

  private func occurrence(_ isTrue: (ReferenceEnding) -> Bool) -> Occurrence {
    let count = endings.all.count(where: isTrue)
    return count == 0 ? .never : count == endings.all.count ? .always : .sometimes
  }
}

extension ReferencePond {
  /// Replaces the conditions of the first five pebbles so that a failure can remain unhandled
  /// during a stall, because its handler reads a pebble that starts only after the stall. This is
  /// rare in random ponds.
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

extension ReferenceEnding {
  fileprivate var withoutReasons: ReferenceEnding {
    ReferenceEnding(outcomes.map(\.withoutReason), held: held)
  }

  fileprivate var failed: [Int] { outcomes.indices.filter { outcomes[$0] == .failed } }
}

extension Ending {
  /// Returns the properties by which endings are counted. Endings that differ only in the reason
  /// for a skip are counted separately.
  fileprivate func told(by mentions: ReferenceMentions) -> Told {
    Told(outcomes: outcomes, held: reference.telling(mentions).held)
  }

  fileprivate struct Told: Hashable {
    let outcomes: [ScenarioOutcome]
    let held: [Set<PebbleCase>]
  }
}
