import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that compare the skips reported as blocked, in random ponds, with a literal implementation
/// of the rule, which is applied repeatedly until nothing changes.
@Suite(.watched) struct BlockedAgainstReferenceTests {
  @Test(arguments: 0..<8)
  func skipsOfRandomRunsAreBlockedAsTheRuleSays(shard: Int) {
    var generator = SeededGenerator(seed: 5_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(100) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: shard >= 4, using: &generator)
      let run = OrderedRun.random(
        pond, smallestShared: shard.isMultiple(of: 2) ? 1 : 16, using: &generator)
      let statuses = pond.conditions.indices.map(run.storage.state.status(of:))

      guard agrees(pond, run.storage.pond.network, statuses) else { return }
      expectReasons(pond, statuses, run.storage.blocked)
    }
  }

  /// Checks any combination of outcomes, including those that no run can have, because the rule
  /// depends only on outcomes.
  @Test(arguments: 0..<8)
  func anyEndingsAreJudgedAsTheRuleSays(shard: Int) {
    let all: [PebbleStatus] = [
      .waiting, .running, .succeeded, .failed, .skippedByCondition, .skippedByStall,
      .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder,
    ]
    var generator = SeededGenerator(seed: 6_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(100) {
      let pond = ReferencePond.random(
        mostPebbles: 8, withCases: shard >= 4, using: &generator)
      let network = pond.compiled(smallestShared: shard.isMultiple(of: 2) ? 1 : 16).network
      for _ in 0..<4 {
        let mostlySkipped = all + Array(repeating: .skippedByCondition, count: 8)
        let statuses = pond.conditions.map { _ in
          mostlySkipped.randomElement(using: &generator) ?? .succeeded
        }
        guard agrees(pond, network, statuses) else { return }
      }
    }
  }

  private func agrees(
    _ pond: ReferencePond, _ network: ReadinessNetwork, _ statuses: [PebbleStatus]
  ) -> Bool {
    let found = BlockedPebbles(network, statuses) { row in
      let owner = network.cases[row]
      guard let outcome = ReferenceOutcome(statuses[owner.pebble]) else { return false }
      return pond.held(owner.pebble, outcome).contains(owner.name)
    }
    let expected = NaiveBlocking(pond, statuses)
    let kinds = statuses.indices.map { found.skipKind(of: $0, statuses[$0]) }
    if kinds == expected.kinds { return true }
    Issue.record("\(kinds)\n\(expected.kinds)\n\(statuses)\n\(pond)")
    return false
  }

  /// Expects that no pebble is blocked if no pebble failed or was skipped because of a stall.
  private func expectReasons(
    _ pond: ReferencePond, _ statuses: [PebbleStatus], _ blocked: BlockedPebbles
  ) {
    guard !statuses.contains(.failed), !statuses.contains(.skippedByStall) else { return }
    #expect(!statuses.indices.contains(where: blocked.isBlocked), "\(pond)")
  }
}

/// A literal implementation of the rule, for conditions that are trees.
private struct NaiveBlocking {
  let pond: ReferencePond
  let statuses: [PebbleStatus]

  /// The pebbles that are known not to be needed.
  private var notNeeded: Set<Int> = []

  init(_ pond: ReferencePond, _ statuses: [PebbleStatus]) {
    self.pond = pond
    self.statuses = statuses
    while let next = statuses.indices.first(where: isNewlyNotNeeded) { notNeeded.insert(next) }
  }

  var kinds: [SkipKind?] {
    statuses.indices.map { pebble in
      switch statuses[pebble] {
      case .waiting, .running, .succeeded, .failed: nil
      case .skippedByCondition: notNeeded.contains(pebble) ? .notNeeded : .blocked
      case .skippedByStall, .skippedByHolder: .blocked
      case .skippedByCancellation: .cancelled
      case .skippedAsDisabled: .disabled
      case .skippedAsNotAskedFor: .notAskedFor
      }
    }
  }

  private func isNewlyNotNeeded(_ pebble: Int) -> Bool {
    !notNeeded.contains(pebble) && statuses[pebble] == .skippedByCondition
      && isNotNeeded(pond.conditions[pebble], wanted: true)
  }

  /// Returns whether a formula does not have the wanted value, and no pebble is to blame for that.
  private func isNotNeeded(_ formula: ReferencePond.Formula, wanted: Bool) -> Bool {
    switch formula {
    case .constant(let value): value != wanted
    case .atom(let pebble, let kind, let isNegated):
      isNotNeeded(pebble, kind, wanted: wanted != isNegated)
    case .case(let pebble, let one, let isNegated):
      isNotNeeded(pebble, one, wanted: wanted != isNegated)
    case .not(let operand): isNotNeeded(operand, wanted: !wanted)
    case .shared(_, let operand): isNotNeeded(operand, wanted: wanted)
    case .all(let operands):
      wanted
        ? operands.contains { isNotNeeded($0, wanted: true) }
        : operands.allSatisfy { isNotNeeded($0, wanted: false) }
    case .any(let operands):
      wanted
        ? operands.allSatisfy { isNotNeeded($0, wanted: true) }
        : operands.contains { isNotNeeded($0, wanted: false) }
    }
  }

  private func isNotNeeded(
    _ pebble: Int, _ kind: ReferencePond.OutcomeKind, wanted: Bool
  ) -> Bool {
    guard let outcome = ReferenceOutcome(statuses[pebble]), kind.accepts(outcome) != wanted else {
      return false
    }
    let wouldSuccessDo = kind.accepts(.succeeded) == wanted
    return !wouldSuccessDo || isSpared(pebble)
  }

  private func isNotNeeded(_ pebble: Int, _ one: PebbleCase, wanted: Bool) -> Bool {
    guard let outcome = ReferenceOutcome(statuses[pebble]),
      pond.held(pebble, outcome).contains(one) != wanted
    else { return false }
    let isSuccessWanted = wanted && !one.isFailure
    return !isSuccessWanted || statuses[pebble] == .succeeded || isSpared(pebble)
  }

  private func isSpared(_ pebble: Int) -> Bool {
    statuses[pebble] == .skippedAsDisabled || statuses[pebble] == .skippedAsNotAskedFor
      || notNeeded.contains(pebble)
  }
}

extension ReferenceOutcome {
  fileprivate init?(_ status: PebbleStatus) {
    switch status {
    case .waiting, .running: return nil
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .skippedByCondition, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedAsNotAskedFor, .skippedByHolder:
      self = .skipped(.condition)
    }
  }
}
