import Pebbles

/// Conditions that are true in every scenario, though they speak of outcomes that need not come.
///
/// `load.completed` is true in every scenario too, but that is no mistake: it says *when*. So
/// conditions that are true by such parts alone are left out, also where another part brings the
/// moment forward, as in `cache.succeeded || network.completed`.
///
/// Others are a note: what joins branches of which one is always taken is written like that.
extension Lint {
  mutating func findAlwaysTrueConditions() {
    for pebble in pebbles where !dead.contains(pebble) {
      guard !circuit.leaves(of: pebble).isEmpty, isAlwaysTrue(pebble),
        !isTrueByOrderAlone(pebble)
      else { continue }
      alwaysTrue.insert(pebble)
      let name = wording.name(pebble)
      let text = wording.text(
        of: Array(circuit.signals(of: pebble)), circuit.network.kinds[pebble])
      report(
        .alwaysTrue, .note, [pebble],
        "\(name) runs in every scenario: \(text) is always true",
        advice: "say so with .completed or .settled if only the order matters, or mend the "
          + "condition")
    }
  }

  /// Whether the pebble runs in all scenarios in which it is enabled.
  private mutating func isAlwaysTrue(_ pebble: Int) -> Bool {
    guard space.find(.condition(pebble, false)).isImpossible else { return false }
    return circuit.cycle(of: pebble) == nil || space.find(.skipped(pebble)).isImpossible
  }

  /// Whether a signal is true in every scenario.
  mutating func isConstant(_ signal: Signal) -> Bool {
    if let known = constancy[signal] { return known }
    let isConstant = space.find(.signal(!signal)).isImpossible
    constancy[signal] = isConstant
    return isConstant
  }

  /// Whether a condition is true if atoms count that are always true, and no others.
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
      // Of constants only those count that can make the gate false: `x || .always` is no order.
      if isAll, circuit.constants(of: gate).contains(false) { operands.append(false) }
      values[gate] = isAll ? operands.allSatisfy { $0 } : operands.contains(true)
    }
    return values[pebble] ?? false
  }
}
