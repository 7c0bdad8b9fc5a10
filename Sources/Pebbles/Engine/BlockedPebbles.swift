/// The skipped pebbles of a run, divided into *blocked* and *not needed*.
///
/// The division depends only on how the pebbles ended. A false AND is not needed if one of its
/// false operands is not needed; a false OR is not needed if all of its operands are not needed.
/// "Not needed" therefore spreads through the network, beginning with the operands that no success
/// could have made true:
///
/// | false operand | is |
/// |---|---|
/// | a constant; an atom that success does not make true, such as `a.failed` | not needed |
/// | an atom on a pebble that was disabled, not requested, or not needed itself | not needed |
/// | an atom on a kind of failure, or a negated atom on any case | not needed |
/// | an atom on a kind of success, if the pebble has succeeded in another way | not needed |
/// | an atom on a pebble that failed, stalled, was held up, cancelled or blocked | blocked |
///
/// Every other skipped pebble is blocked, unless it was disabled, not requested or cancelled: such
/// pebbles are in neither group. If pebbles form a cycle in which each would count as not needed
/// only because another one does, all of them are blocked. A condition becomes false only after one
/// of its operands has become false. Every blocked pebble can therefore be traced back to a pebble
/// that did not succeed as required.
///
/// While a run is under way, a pebble that is not needed remains not needed. A blocked pebble may
/// turn out to be not needed when another operand becomes false.
package struct BlockedPebbles: Sendable {
  /// Whether all pebbles had settled when the skipped pebbles were divided. If so, the division is
  /// final.
  package let isFinal: Bool

  // Both arrays are empty if no pebble was skipped by its condition or held up.
  private let isBlocked: [Bool]
  private let isNotNeeded: [Bool]

  /// Divides the skipped pebbles of a run into blocked pebbles and pebbles that are not needed.
  ///
  /// - Parameters:
  ///   - network: The conditions of the pond.
  ///   - statuses: The status of each pebble.
  ///   - caseHolds: A function that looks up whether the case represented by a row holds. The
  ///     result is ignored if the case's pebble has not settled.
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

  /// Returns whether a pebble was skipped although it was needed, for example because of a stall,
  /// or because another pebble did not succeed as required.
  package func isBlocked(_ pebble: Int) -> Bool { !isBlocked.isEmpty && isBlocked[pebble] }

  /// Returns whether a pebble was skipped by its condition and was not needed.
  package func isNotNeeded(_ pebble: Int) -> Bool { !isNotNeeded.isEmpty && isNotNeeded[pebble] }
}

private struct NotNeededSpreading {
  private let network: ReadinessNetwork
  private let statuses: [PebbleStatus]

  /// The rows of the cases that hold.
  private let holding: Set<Int>

  /// The number of operands of each gate that must still be found to be not needed before the gate
  /// itself counts as not needed. The initial number is 1 for an AND, and the operand count for an
  /// OR.
  private var missing: [UInt32]
  private var pending: [Int] = []

  /// Flags that indicate, by row, whether each gate is known to be false and not needed.
  private(set) var known: [Bool]

  init(_ network: ReadinessNetwork, _ statuses: [PebbleStatus], _ holding: Set<Int>) {
    self.network = network
    self.statuses = statuses
    self.holding = holding
    known = Array(repeating: false, count: network.rowCount)
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
      // Operands that do not depend on this row have arrived before.
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

  /// Returns the operands whose source is the given row. For a pebble, the result also includes the
  /// operands whose source is a case of the pebble. It excludes the edges from the pebble to its
  /// cases.
  private func operands(of row: Int) -> [Operand] {
    let own = network.edges(from: row).map { Operand(row: row, edge: $0) }
    guard !network.cases.rows(of: row).isEmpty else { return own }
    let ofCases = network.cases.rows(of: row).flatMap { row in
      network.edges(from: row).map { Operand(row: row, edge: $0) }
    }
    return own.filter { !network.cases.rows.contains($0.edge.gate) } + ofCases
  }

  /// Returns whether an operand is known to be false and not needed.
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

  /// Returns whether a false operand is not needed, given the outcomes that could have made it
  /// true.
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

  /// Whether the pebble was skipped because of a stall, or because a service or resource that it
  /// needed may never become available.
  fileprivate var isHeldUp: Bool {
    switch self {
    case .skippedByStall, .skippedByHolder: true
    case .waiting, .running, .succeeded, .failed, .skippedByCondition, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor:
      false
    }
  }
}
