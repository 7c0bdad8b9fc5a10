/// Which skipped pebbles were *blocked*, and which were *not needed*: whether a skip matters.
///
/// Follows from how pebbles ended, and from nothing else. A false AND is not needed if one false
/// operand is not, a false OR if none of its operands is. So it is the not needed that is spread
/// through the network, from what no success could have made true:
///
/// | false operand | is |
/// |---|---|
/// | a constant; an atom that success does not make true, such as `a.failed` | not needed |
/// | an atom on a pebble that was disabled, or not needed itself | not needed |
/// | a case of *failed*, or that a case does not hold: one of several ways | not needed |
/// | a case of *succeeded*, of a pebble that has succeeded otherwise | not needed |
/// | an atom on a pebble that failed, stalled, was held up, cancelled or blocked | blocked |
///
/// What this does not reach is blocked. In a cycle, in which each is not needed only if the others
/// are not, that is the right way round: a condition became false by something that was false
/// before it, so whatever is blocked has a pebble at its root that did not do what it should.
///
/// While a run goes on, what is not needed stays so; what is blocked may turn out to be not needed,
/// by another operand that becomes false.
package struct BlockedPebbles: Sendable {
  /// Whether all pebbles had settled: then this is the last word.
  package let isFinal: Bool

  // Empty if there is none.
  private let isBlocked: [Bool]
  private let isNotNeeded: [Bool]

  /// - Parameters:
  ///   - network: The conditions of the pond.
  ///   - statuses: How each pebble stands.
  ///   - caseHolds: Whether the case of a row holds, for those of pebbles that have settled.
  /// - Complexity: O(pebbles + atoms).
  package init(
    _ network: ReadinessNetwork, _ statuses: [PebbleStatus], caseHolds: (Int) -> Bool
  ) {
    isFinal = statuses.allSatisfy(\.isSettled)
    guard statuses.contains(where: { $0.isSkippedByCondition || $0.isHeldUp }) else {
      (isBlocked, isNotNeeded) = ([], [])
      return
    }
    let holding = Set(network.cases.rows.filter(caseHolds))
    var spreading = NotNeededSpreading(network, statuses, holding)
    spreading.spread()
    isNotNeeded = statuses.indices.map { statuses[$0].isSkippedByCondition && spreading.known[$0] }
    isBlocked = statuses.indices.map {
      statuses[$0].isHeldUp || statuses[$0].isSkippedByCondition && !spreading.known[$0]
    }
  }

  /// Whether a pebble was skipped although it was needed: because something failed, or stalled.
  package func isBlocked(_ pebble: Int) -> Bool { !isBlocked.isEmpty && isBlocked[pebble] }

  /// Whether a pebble was skipped as there was nothing for it to do.
  package func isNotNeeded(_ pebble: Int) -> Bool { !isNotNeeded.isEmpty && isNotNeeded[pebble] }
}

private struct NotNeededSpreading {
  private let network: ReadinessNetwork
  private let statuses: [PebbleStatus]

  /// The rows of cases that hold.
  private let holding: Set<Int>

  /// How many operands that are not needed make a gate so: one of an AND, all of an OR.
  private var missing: [UInt32]
  private var pending: [Int] = []

  /// By row, whether its gate is false, and not needed.
  private(set) var known: [Bool]

  init(_ network: ReadinessNetwork, _ statuses: [PebbleStatus], _ holding: Set<Int>) {
    self.network = network
    self.statuses = statuses
    self.holding = holding
    known = Array(repeating: false, count: network.gateCount)
    missing = zip(network.kinds, network.operandCounts).map { kind, count in
      switch kind {
      case .all: 1
      case .any: count
      }
    }
  }

  mutating func spread() {
    for edge in network.constants where !edge.outcomes.contains(.succeeded) { arrive(at: edge) }
    for pebble in 0..<network.pebbleCount {
      for operand in operands(of: pebble) where isNotNeeded(operand) { arrive(at: operand.edge) }
    }
    while let row = pending.popLast() {
      // What does not hang on the row being known has arrived before.
      let operands = operands(of: row)
      let before = operands.map(isNotNeeded)
      known[row] = true
      for (operand, wasNotNeeded) in zip(operands, before)
      where !wasNotNeeded && isNotNeeded(operand) {
        arrive(at: operand.edge)
      }
    }
  }

  private struct Operand {
    let row: Int
    let edge: Edge
  }

  /// The operands that a row is; of a pebble, its cases as well, which are no gates here.
  private func operands(of row: Int) -> [Operand] {
    let own = network.edges(from: row).map { Operand(row: row, edge: $0) }
    guard !network.cases.rows(of: row).isEmpty else { return own }
    let ofCases = network.cases.rows(of: row).flatMap { row in
      network.edges(from: row).map { Operand(row: row, edge: $0) }
    }
    return own.filter { !network.cases.rows.contains($0.edge.gate) } + ofCases
  }

  /// Whether the operand of a gate is false and not needed, as far as is known of its source.
  private func isNotNeeded(_ operand: Operand) -> Bool {
    let accepted = operand.edge.outcomes
    switch network.kind(ofRow: operand.row) {
    case .gate: return known[operand.row]
    case .pebble:
      guard let event = statuses[operand.row].event, !accepted.accepts(event) else { return false }
      return isNotNeeded(accepted, of: operand.row)
    case .pebbleCase:
      let owner = network.cases[operand.row]
      let holds = holding.contains(operand.row)
      guard statuses[owner.pebble].isSettled, !accepted.accepts(Event(holds)) else { return false }
      let isNegated = accepted.contains(.failed)
      return isNegated || isNotNeeded(owner.name.outcomes, of: owner.pebble)
    }
  }

  /// The same for one that is false, by the outcomes that could have made it true.
  private func isNotNeeded(_ outcomes: OutcomeSet, of pebble: Int) -> Bool {
    if !outcomes.contains(.succeeded) { return true }
    let status = statuses[pebble]
    return status == .succeeded || status == .skippedAsDisabled || status == .skippedAsNotAskedFor
      || status.isSkippedByCondition && known[pebble]
  }

  private mutating func arrive(at edge: Edge) {
    guard missing[edge.gate] > 0 else { return }
    missing[edge.gate] -= 1
    if missing[edge.gate] == 0 { pending.append(edge.gate) }
  }
}

extension PebbleStatus {
  fileprivate var isSkippedByCondition: Bool { self == .skippedByCondition }

  /// Whether it was skipped although no condition became false: it would have been needed.
  fileprivate var isHeldUp: Bool {
    switch self {
    case .skippedByStall, .skippedByHolder: true
    case .waiting, .running, .succeeded, .failed, .skippedByCondition, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor:
      false
    }
  }
}
