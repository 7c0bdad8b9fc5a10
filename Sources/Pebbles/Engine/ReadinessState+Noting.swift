extension ReadinessState {
  /// Replaces the noted deciders of gates. Every pebble must have settled.
  ///
  /// A replay settles pebbles in the order of their recorded times, but the runners of the recorded
  /// run may have reached a gate in another order. If any of the deciders is impossible, nothing
  /// changes. A decider is impossible if it is not an operand of its gate, if its value differs
  /// from the value of the gate, or if no operand decided the gate. It is also impossible if, as a
  /// result, pebbles would decide each other in a cycle, or if `isPossible` returns `false`.
  ///
  /// - Parameters:
  ///   - deciders: The new deciders, as a dictionary from gates to the rows of the operands that
  ///     decided them.
  ///   - operands: The operands of the network.
  ///   - isPossible: A function that checks whether a cause could have decided a pebble's
  ///     condition. It takes the pebble and the cause, which is `nil` if no pebble decided the
  ///     condition.
  /// - Complexity: O(pebbles + atoms); O(1) if `deciders` is empty.
  package func note(
    _ deciders: [Int: Int], among operands: OperandIndex,
    where isPossible: (_ pebble: Int, _ cause: Int?) -> Bool
  ) {
    guard !deciders.isEmpty, deciders.allSatisfy({ canDecide($0, by: $1, among: operands) }) else {
      return
    }
    let before = deciders.keys.map { ($0, decider(ofGate: $0)) }
    for (gate, row) in deciders { setDecider(row, ofGate: gate) }
    findCauses()
    let graph = DecisionGraph(from: 0..<pebbleCount, DecisionHistory(self, operands))
    let areAllPossible = (0..<pebbleCount).allSatisfy { isPossible($0, cause(of: $0)) }
    guard !areAllPossible || graph.rows.count < graph.count else { return }
    for (gate, row) in before { setDecider(row, ofGate: gate) }
    findCauses()
  }

  /// Returns whether a row could have decided a gate. The row must be an operand of the gate and
  /// have the same value. The result is `false` if no operand decided the gate, or if the gate is
  /// the root of a pebble that was neither started nor skipped because of its condition.
  private func canDecide(_ gate: Int, by row: Int, among operands: OperandIndex) -> Bool {
    guard (0..<network.rowCount).contains(gate), decider(ofGate: gate) != nil,
      gate >= pebbleCount || status(of: gate).isDecidedByCondition,
      let value = value(ofGate: gate)
    else { return false }
    return operands[gate].contains { Int($0.source) == row && self.value(of: $0) == value }
  }

  private func setDecider(_ row: Int?, ofGate gate: Int) {
    let decider = row.map(UInt32.init) ?? PebbleState.none
    if gate < pebbleCount {
      pebbles[gate].decider.store(decider, ordering: .releasing)
    } else {
      innerGates[gate - pebbleCount].decider.store(decider, ordering: .releasing)
    }
  }

  /// Recomputes the causes of all inner gates by following their deciders down to pebbles.
  private func findCauses() {
    var isKnown = Array(repeating: false, count: network.rowCount)
    for gate in pebbleCount..<network.rowCount {
      var way: [Int] = []
      var next: Int? = gate
      while let row = next, row >= pebbleCount, !isKnown[row] {
        isKnown[row] = true
        way.append(row)
        next = decider(ofGate: row)
      }
      let cause = next.map { $0 < pebbleCount ? UInt32($0) : innerGates[$0 - pebbleCount].cause }
      for row in way { innerGates[row - pebbleCount].cause = cause ?? PebbleState.none }
    }
  }
}
