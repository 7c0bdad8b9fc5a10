import Pebbles

/// The rule about conditions that are true in every scenario, although they depend on uncertain
/// outcomes.
///
/// An atom such as `load.completed` may also be true in every scenario, but it is not a mistake,
/// because it determines when the pebble starts. The rule therefore ignores a condition if its
/// always-true atoms are enough to make it true. An example is
/// `cache.succeeded || network.completed`: `network.completed` makes it true, and
/// `cache.succeeded` only lets the pebble start earlier.
///
/// All findings are notes, because a condition that is always true may be intended. An example is
/// the condition of a pebble that joins two branches, one of which is always taken.
extension Lint {
  mutating func findAlwaysTrueConditions() {
    for pebble in pebbles where !dead.contains(pebble) {
      guard circuit.hasLeaves(pebble), isAlwaysTrue(pebble), !isTrueByOrderAlone(pebble)
      else { continue }
      alwaysTrue.insert(pebble)
      let name = wording.name(pebble)
      let text = wording.text(
        of: Array(circuit.signals(of: pebble)), circuit.network.kinds[pebble])
      report(
        .alwaysTrue, .note, [pebble],
        "\(name) runs in every scenario: \(text) is always true",
        advice: "say so with .completed or .settled if only the order matters, or fix the "
          + "condition")
    }
  }

  /// Returns whether the pebble runs in all scenarios in which it is enabled.
  private mutating func isAlwaysTrue(_ pebble: Int) -> Bool {
    space.find(.condition(pebble, false)).isImpossible
      && space.find(.stalls(pebble, true)).isImpossible
  }

  /// Returns whether a signal is true in every scenario.
  mutating func isConstant(_ signal: Signal) -> Bool {
    if let known = constancy[signal] { return known }
    let isConstant = space.find(.signal(!signal)).isImpossible
    constancy[signal] = isConstant
    return isConstant
  }

  /// Returns whether the atoms that are always true suffice to make a condition true.
  private mutating func isTrueByOrderAlone(_ pebble: Int) -> Bool {
    var values: [Int: Bool] = [:]
    for gate in circuit.gates(below: pebble) {
      let isAll = circuit.network.kinds[gate] == .all
      var operands: [Bool] = []
      for signal in circuit.signals(of: gate) {
        switch circuit.network.kind(ofRow: signal.source) {
        case .pebble, .pebbleCase: operands.append(isConstant(signal))
        case .gate:
          operands.append(values[signal.source] ?? false)
        }
      }
      // Only constants that make the gate false count: `x || .always` sets no order.
      if isAll, circuit.constants(of: gate).contains(false) { operands.append(false) }
      values[gate] = isAll ? operands.allSatisfy { $0 } : operands.contains(true)
    }
    return values[pebble] ?? false
  }
}
