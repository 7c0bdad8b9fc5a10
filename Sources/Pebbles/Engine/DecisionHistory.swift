/// A history of the decisions in a run. It shows which pebbles decided each condition.
///
/// A true AND is decided by all of its operands, and a true OR by the operand that became true
/// first. A false AND is decided by the operand that became false first, and a false OR by all of
/// its operands. For example, take this condition:
///
/// ```
/// migrate.ready = database.succeeded && (cache.succeeded || disk.succeeded)
/// ```
///
/// Suppose that `database`, `disk` and `cache` succeeded in this order before `migrate` ran. Then
/// `migrate` was enabled by `database` and `disk`.
///
/// The run records the operand that decides each gate, so that deciders need not be reconstructed
/// afterwards; see `ReadinessState.decider(ofGate:)`. All explanations therefore name the same
/// pebbles.
package struct DecisionHistory {
  package let state: ReadinessState
  let operands: OperandIndex

  /// Creates the history of a run.
  ///
  /// - Parameters:
  ///   - state: The state of the run.
  ///   - operands: The operands of the run's network.
  package init(_ state: ReadinessState, _ operands: OperandIndex) {
    self.state = state
    self.operands = operands
  }

  /// Returns the pebbles whose outcomes decided the condition of a settled pebble, in definition
  /// order. All of these pebbles settled before the given pebble. If the given pebble ran, they are
  /// the pebbles that enabled it. The result is empty if the pebble has no condition, or if it was
  /// skipped for a reason other than its condition.
  ///
  /// - Complexity: O(atoms of the condition).
  package func pebbles(deciding pebble: Int) -> [Int] {
    var pebbles: [Int] = []
    var known: Set<Int> = []
    var pending = rows(deciding: pebble)
    while let row = pending.popLast() {
      guard known.insert(row).inserted else { continue }
      if row < state.pebbleCount {
        pebbles.append(row)
      } else {
        pending += rows(deciding: row)
      }
    }
    return pebbles.sorted()
  }

  /// Returns the rows of the network (pebbles, cases or inner gates) that directly decided a row. A
  /// row may be listed twice.
  ///
  /// To examine all pebbles, use this function rather than `pebbles(deciding:)`, so that a gate
  /// shared by many conditions is visited only once.
  ///
  /// - Complexity: O(operands of the row).
  package func rows(deciding row: Int) -> [Int] {
    switch state.network.kind(ofRow: row) {
    case .pebbleCase: [state.network.cases[row].pebble]
    case .pebble, .gate: operands(deciding: row).map { Int($0.source) }
    }
  }

  /// Returns the operands that decided a gate, which may be the root of a pebble. The result is
  /// empty if the gate is undecided, was decided by a constant, or is the root of a pebble that was
  /// neither started nor skipped because of its condition.
  ///
  /// - Complexity: O(operands of the gate).
  package func operands(deciding gate: Int) -> [OperandIndex.Operand] {
    guard let value = state.value(ofGate: gate) else { return [] }
    if gate < state.pebbleCount, !state.status(of: gate).isDecidedByCondition { return [] }
    guard state.network.kinds[gate].isDominated(by: value) else { return Array(operands[gate]) }
    let decider = state.decider(ofGate: gate)
    let operand = operands[gate].first {
      Int($0.source) == decider && state.value(of: $0) == value
    }
    return operand.map { [$0] } ?? []
  }
}

extension PebbleStatus {
  /// Whether the pebble was started or skipped because of its condition.
  var isDecidedByCondition: Bool {
    switch self {
    case .running, .succeeded, .failed, .skippedByCondition: true
    case .waiting, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedAsNotAskedFor, .skippedByHolder:
      false
    }
  }
}
