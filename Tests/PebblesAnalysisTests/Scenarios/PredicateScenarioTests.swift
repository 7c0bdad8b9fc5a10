import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Predicates in scenarios: closures that may hold or not.
@Suite struct PredicateScenarioTests {
  @Test(arguments: 0..<4)
  func predicatesThatHoldFromTheStartOrNeverAreExactAlsoInCycles(shard: Int) async throws {
    var generator = SeededGenerator(seed: 7_000 + UInt64(shard))
    for _ in 0..<500 {
      await Task.yield()
      let random = ReferencePond.random(mostPebbles: 8, withPredicates: true, using: &generator)
      let defined = try DefinedRun(random)
      for _ in 0..<4 {
        let held = Set(random.predicates.map(\.number).filter { _ in generator.next() & 1 == 0 })
        let pond = random.withPredicates { number in held.contains(number) ? 0 : 1_000 }
        guard agree(defined, pond, generator.next()) else { return }
      }
    }
  }

  @Test(arguments: 0..<4)
  func predicatesThatReadNothingThatDependsOnThemAreExactWhateverTheyDo(shard: Int) async throws {
    var generator = SeededGenerator(seed: 7_100 + UInt64(shard))
    var exactCount = 0
    for _ in 0..<1_000 {
      await Task.yield()
      let pond = ReferencePond.random(mostPebbles: 8, withPredicates: true, using: &generator)
      let defined = try DefinedRun(pond)
      guard !defined.run.hasPredicateInCycle else { continue }
      exactCount += 1
      for _ in 0..<4 {
        guard agree(defined, pond, generator.next()) else { return }
      }
    }
    #expect(exactCount > 200)
  }

  @Test func predicatesAreALimitationAndSaySo() throws {
    let pond = Pond("boot")
    let settings = pond.pebble("settings") {}
    let isBeta = Condition.predicate(reading: settings) { $0.succeeded }
    let beta = pond.pebble("beta", when: isBeta) {}

    let scenarios = try pond.scenarios()

    #expect(scenarios.limitations == [.predicates(count: 1)])
    #expect(scenarios.limitations[0].predicateCount == 1)
    #expect(!scenarios.isExact)
    #expect(scenarios.runs(beta) == .sometimes)
    // It may hold where the settings failed: nothing is known of it.
    #expect(scenarios.count == 6)
    #expect(Set(scenarios.endings).count == 6)
    #expect(try scenarios.occurrence(of: isBeta) == .sometimes)
    #expect(try scenarios.smallestFailures(leadingTo: beta.skipped).sets == [[]])
  }

  @Test func predicateInCycleIsALimitationOfItsOwn() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.settled) {}
    first.ready = .predicate(reading: second) { _ in true } || second.failed

    let scenarios = try pond.scenarios()

    #expect(scenarios.limitations == [.predicates(count: 1), .predicateInCycle])
    #expect(scenarios.sometimesRun == ["first", "second"])
  }

  /// Runs one scenario of a pond, with random bodies, both ways.
  private func agree(_ defined: DefinedRun, _ pond: ReferencePond, _ seed: UInt64) -> Bool {
    var pond = pond
    for pebble in pond.succeeds.indices { pond.succeeds[pebble] = seed >> UInt64(pebble) & 1 == 0 }
    var reference = ReferenceRun(pond)
    reference.run { $0[0] }

    let outcomes = defined.run.outcomes { variable in
      switch variable {
      case .body(let pebble): pond.succeeds[pebble]
      case .predicate(let predicate): reference.held.contains(defined.numbers[predicate])
      case .activation: true
      case .caught: false
      }
    }
    let expected = reference.outcomes.map { $0?.withoutWaits }
    if outcomes != expected { Issue.record("\(pond)\n\(outcomes)\n\(expected)") }
    return outcomes == expected
  }
}

/// A reference pond in all scenarios, and the numbers that its predicates have there.
private struct DefinedRun {
  let run: SymbolicRun
  let numbers: [Int]

  init(_ reference: ReferencePond) throws {
    let pond = Pond("random")
    var predicates: [Int: Condition] = [:]
    _ = reference.define(in: pond, predicates: &predicates)
    let model = try pond.model()
    run = SymbolicRun(model, limit: 100_000)
    numbers = model.pond.predicates.map { known in
      predicates.first { Self.predicate(of: $0.value) === known }?.key ?? 0
    }
  }

  private static func predicate(of condition: Condition) -> Predicate? {
    guard case .compound(let node) = condition.expression,
      case .predicate(let predicate) = node.operation
    else { return nil }
    return predicate
  }
}

extension ReferencePond {
  /// The same pond with other thresholds.
  fileprivate func withPredicates(_ threshold: (Int) -> Int) -> ReferencePond {
    ReferencePond(
      conditions: conditions.map { $0.withPredicates(threshold) }, succeeds: succeeds)
  }
}

extension ReferencePond.Formula {
  fileprivate func withPredicates(_ threshold: (Int) -> Int) -> Self {
    switch self {
    case .constant, .atom: self
    case .not(let operand): .not(operand.withPredicates(threshold))
    case .shared(let number, let operand): .shared(number, operand.withPredicates(threshold))
    case .all(let operands): .all(operands.map { $0.withPredicates(threshold) })
    case .any(let operands): .any(operands.map { $0.withPredicates(threshold) })
    case .predicate(let number, let reads, _):
      .predicate(number: number, reads: reads, threshold: threshold(number))
    }
  }
}
