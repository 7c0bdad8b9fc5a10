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
  /// - Complexity: O(pebbles + atoms).
  package init(_ network: ReadinessNetwork, _ statuses: [PebbleStatus]) {
    isFinal = statuses.allSatisfy(\.isSettled)
    guard statuses.contains(where: { $0.isSkippedByCondition || $0.isHeldUp }) else {
      (isBlocked, isNotNeeded) = ([], [])
      return
    }
    var spreading = NotNeededSpreading(network, statuses)
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

  /// How many operands that are not needed make a gate so: one of an AND, all of an OR.
  private var missing: [UInt32]
  private var pending: [Int] = []

  /// By row, whether its gate is false, and not needed.
  private(set) var known: [Bool]

  init(_ network: ReadinessNetwork, _ statuses: [PebbleStatus]) {
    self.network = network
    self.statuses = statuses
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
      for edge in network.edges(from: pebble) where isNotNeeded(edge, from: pebble) {
        arrive(at: edge)
      }
    }
    while let row = pending.popLast() {
      // What does not hang on the row being known has arrived before.
      let before = network.edges(from: row).map { isNotNeeded($0, from: row) }
      known[row] = true
      for (edge, wasNotNeeded) in zip(network.edges(from: row), before)
      where !wasNotNeeded && isNotNeeded(edge, from: row) {
        arrive(at: edge)
      }
    }
  }

  /// Whether the operand of a gate is false and not needed, as far as is known of its source.
  private func isNotNeeded(_ operand: Edge, from row: Int) -> Bool {
    switch network.kind(ofRow: row) {
    case .gate: return known[row]
    case .pebble:
      let status = statuses[row]
      guard let event = status.event, !operand.outcomes.accepts(event) else { return false }
      if !operand.outcomes.contains(.succeeded) { return true }
      return status == .skippedAsDisabled || status.isSkippedByCondition && known[row]
    }
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
      .skippedAsDisabled:
      false
    }
  }
}
