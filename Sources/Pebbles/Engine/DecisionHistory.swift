/// Which pebbles really decided which condition in a run that is over.
///
/// An AND is true because of all its operands, an OR because of the one that was true first; and
/// the other way round if it is false. So of
///
/// ```
/// migrate.ready = database.succeeded && (cache.succeeded || disk.succeeded)
/// ```
///
/// in a run that settled `database`, `disk`, `cache` and `migrate`, in this order, what enabled
/// `migrate` are `database` and `disk`.
///
/// Nothing is found out here: the run has noted who was first, gate by gate, see
/// `ReadinessState.decider(ofGate:)`. So all who say why something was decided name the same.
package struct DecisionHistory {
  package let state: ReadinessState
  let operands: OperandIndex

  /// - Parameters:
  ///   - state: The state of a run.
  ///   - operands: The operands of the same network.
  package init(_ state: ReadinessState, _ operands: OperandIndex) {
    self.state = state
    self.operands = operands
  }

  /// The pebbles whose outcomes really decided the condition of a settled pebble, in definition
  /// order: for one that ran, those that enabled it. They settled before it. Empty for a pebble
  /// without a condition, and for one that was skipped in a cycle or by cancellation.
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

  /// One step of the same: the rows of the network, be they pebbles or inner gates, that decided a
  /// row. Who wants to know it of all pebbles takes these, for a gate that many
  /// share is then looked at once. A row may be listed twice.
  ///
  /// - Complexity: O(operands of the row).
  package func rows(deciding row: Int) -> [Int] {
    switch state.network.kind(ofRow: row) {
    case .pebbleCase: [state.network.cases[row].pebble]
    case .pebble, .gate: operands(deciding: row).map { Int($0.source) }
    }
  }

  /// The operands that decided a gate, which may be the root of a pebble. None if it is undecided,
  /// was decided by a constant, or belongs to a pebble that was decided otherwise.
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
  /// Whether the pebble ended, or runs, as its condition said.
  var isDecidedByCondition: Bool {
    switch self {
    case .running, .succeeded, .failed, .skippedByCondition: true
    case .waiting, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedAsNotAskedFor, .skippedByHolder:
      false
    }
  }
}
