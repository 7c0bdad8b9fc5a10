import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite(.watched) struct EnablingAgainstReferenceTests {
  @Test(arguments: 0..<8)
  func randomRunsAreDecidedAsInTheReplay(shard: Int) {
    var generator = SeededGenerator(seed: 4_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: !shard.isMultiple(of: 2), using: &generator)
      let run = OrderedRun.random(
        pond, smallestShared: shard < 4 ? 1 : 16, using: &generator)
      let enabling = run.enabling

      for pebble in pond.conditions.indices {
        let deciders = Set(enabling.pebbles(deciding: pebble))
        guard let fault = Self.fault(of: deciders, deciding: pebble, in: run) else { continue }
        Issue.record("p\(pebble), decided by \(deciders), \(fault):\n\(run.sequence)\n\(pond)")
        return
      }
    }
  }

  /// Checks that the atoms named in explanations are true, and are sufficient to decide the
  /// condition.
  @Test(arguments: 0..<8)
  func namedAtomsDecide(shard: Int) {
    var generator = SeededGenerator(seed: 4_500 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(mostPebbles: 10, withCases: shard > 0, using: &generator)
      expectNamedAtomsDecide(in: pond, smallestShared: shard < 4 ? 1 : 16, using: &generator)
    }
  }

  /// Checks that the atoms named in explanations decide the condition, for conditions in which few
  /// pebbles occur in many places. An atom that decided one operand also decided others, and must
  /// be named only once.
  @Test(arguments: 0..<8)
  func namedAtomsOfFewPebblesDecide(shard: Int) {
    var generator = SeededGenerator(seed: 4_700 + UInt64(shard))
    for _ in 0..<Thoroughness.times(10) {
      let pond = ReferencePond.crowded(2 + shard % 4, conditions: 30, using: &generator)
      expectNamedAtomsDecide(in: pond, smallestShared: shard < 4 ? 1 : 16, using: &generator)
    }
  }

  private func expectNamedAtomsDecide(
    in pond: ReferencePond, smallestShared: Int32, using generator: inout SeededGenerator
  ) {
    let run = OrderedRun.random(pond, smallestShared: smallestShared, using: &generator)
    for pebble in pond.conditions.indices {
      let status = run.storage.state.status(of: pebble)
      guard status.isRun || status == .skippedByCondition else { continue }
      let literals = DecidingClause(of: pebble, run.enabling).literals
      let named = NamedAtoms(literals, run, pond)
      guard named.value(of: pond.conditions[pebble]) == status.isRun,
        literals.allSatisfy({ named.holds($0) == status.isRun })
      else {
        Issue.record("p\(pebble): \(literals)\n\(pond)")
        return
      }
      // One is what the run has noted. Each other of them is needed, or its pebble is that one.
      let cause = run.storage.state.cause(of: pebble)
      let superfluous = literals.first { literal in
        let rest = literals.filter { $0 != literal }
        guard cause == nil || rest.contains(where: { $0.pebble == cause }) else { return false }
        return NamedAtoms(rest, run, pond).value(of: pond.conditions[pebble]) != nil
      }
      guard superfluous == nil, cause == nil || literals.contains(where: { $0.pebble == cause })
      else {
        Issue.record("p\(pebble): of \(literals), noted \(String(describing: cause)):\n\(pond)")
        return
      }
    }
  }

  private static func fault(
    of deciders: Set<Int>, deciding pebble: Int, in run: OrderedRun
  ) -> String? {
    let before = Set(run.sequence.prefix { $0 != pebble })
    guard deciders.isSubset(of: before) else { return "settled before them" }
    switch run.storage.state.status(of: pebble) {
    case .waiting, .running: return "is not settled"
    case .skippedByStall, .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor,
      .skippedByHolder:
      return deciders.isEmpty ? nil : "should have none"
    case .succeeded, .failed, .skippedByCondition: break
    }
    let replay = Replay(run, upTo: before.count, knowing: deciders)
    let value = replay.value(of: replay.condition(of: pebble))
    guard value == run.storage.state.status(of: pebble).isRun else { return "needs more" }

    let whole = Replay(run, upTo: Replay.momentOfDecision(of: pebble, in: run))
    let choices = whole.deciders(of: whole.condition(of: pebble))
    return choices.contains(deciders) ? nil : "should have one of \(choices)"
  }
}

/// An evaluation of conditions that uses only the values of the named atoms.
private struct NamedAtoms {
  let state: ReadinessState
  let pond: ReferencePond
  private var known: Set<Key> = []

  private struct Key: Hashable {
    let pebble: Int
    let one: PebbleCase?
    let outcomes: OutcomeSet
  }

  init(_ literals: [DecidingClause.Literal], _ run: OrderedRun, _ pond: ReferencePond) {
    state = run.storage.state
    self.pond = pond
    for literal in literals {
      known.insert(
        Key(pebble: literal.pebble, one: literal.pebbleCase, outcomes: literal.outcomes))
    }
  }

  func holds(_ literal: DecidingClause.Literal) -> Bool? {
    holds(literal.pebble, literal.pebbleCase, literal.outcomes)
  }

  private func holds(_ pebble: Int, _ one: PebbleCase?, _ outcomes: OutcomeSet) -> Bool? {
    guard let event = state.status(of: pebble).event else { return nil }
    guard let one else { return outcomes.accepts(event) }
    let outcome: ReferenceOutcome =
      switch event {
      case .succeeded: .succeeded
      case .failed: .failed
      case .skipped: .skipped(.condition)
      }
    return pond.held(pebble, outcome).contains(one) == outcomes.contains(.succeeded)
  }

  func value(of formula: ReferencePond.Formula, isNegated: Bool = false) -> Bool? {
    switch formula {
    case .constant(let value): return value != isNegated
    case .atom(let pebble, let kind, let isOpposite):
      let outcomes = isOpposite == isNegated ? kind.outcomes : kind.outcomes.complement
      return value(of: Key(pebble: pebble, one: nil, outcomes: outcomes))
    case .case(let pebble, let one, let isOpposite):
      let outcomes = isOpposite == isNegated ? .succeeded : OutcomeSet.succeeded.complement
      return value(of: Key(pebble: pebble, one: one, outcomes: outcomes))
    case .not(let operand): return value(of: operand, isNegated: !isNegated)
    case .shared(_, let operand): return value(of: operand, isNegated: isNegated)
    case .all(let operands): return value(of: operands, isAll: !isNegated, isNegated)
    case .any(let operands): return value(of: operands, isAll: isNegated, isNegated)
    }
  }

  /// Returns the value of an atom if it follows from the known literals on the same pebble: either
  /// from a literal with the same case, or from the outcomes that the literals leave possible.
  /// Otherwise, returns `nil`.
  private func value(of key: Key) -> Bool? {
    if known.contains(key) { return holds(key.pebble, key.one, key.outcomes) }
    guard let possible = possibleOutcomes(of: key.pebble) else { return nil }
    if let one = key.one {
      if known.contains(where: { $0.pebble == key.pebble && $0.one == one }) {
        return holds(key.pebble, one, key.outcomes)
      }
      let outcomes: OutcomeSet = one.isFailure ? .failed : .succeeded
      return possible.isDisjoint(with: outcomes) ? !key.outcomes.contains(.succeeded) : nil
    }
    if possible.isSubset(of: key.outcomes) { return true }
    return possible.isDisjoint(with: key.outcomes) ? false : nil
  }

  private func possibleOutcomes(of pebble: Int) -> OutcomeSet? {
    let literals = known.filter { $0.pebble == pebble }
    guard !literals.isEmpty else { return nil }
    return literals.reduce(OutcomeSet.settled) { possible, literal in
      guard let isTrue = holds(pebble, literal.one, literal.outcomes) else { return possible }
      guard let one = literal.one else {
        return possible.intersection(isTrue ? literal.outcomes : literal.outcomes.complement)
      }
      let isHeld = isTrue == literal.outcomes.contains(.succeeded)
      return isHeld ? possible.intersection(one.isFailure ? .failed : .succeeded) : possible
    }
  }

  private func value(
    of operands: [ReferencePond.Formula], isAll: Bool, _ isNegated: Bool
  ) -> Bool? {
    let values = operands.map { value(of: $0, isNegated: isNegated) }
    if values.contains(!isAll) { return !isAll }
    return values.contains(nil) ? nil : isAll
  }
}

extension PebbleStatus {
  fileprivate var isRun: Bool { self == .succeeded || self == .failed }
}

extension OrderedRun {
  /// Returns a finished run of a pond whose bodies ended in a random order.
  static func random(
    _ pond: ReferencePond, smallestShared: Int32, using generator: inout SeededGenerator
  ) -> OrderedRun {
    var run = OrderedRun(pond.compiled(smallestShared: smallestShared))
    run.finish(
      choosing: { $0[Int(generator.next() % UInt64($0.count))] },
      succeeding: { pond.succeeds[$0] }, holding: pond.caseSet)
    return run
  }
}
