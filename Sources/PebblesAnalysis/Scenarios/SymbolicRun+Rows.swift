import Pebbles

/// The values of the rows of the network, and the outcomes of the pebbles.
extension SymbolicRun {
  /// Sets a row to its initial value, which is undecided. If the row belongs to a pebble, the
  /// pebble is skipped in the scenarios where it is disabled, and undecided in all others.
  mutating func begin(_ row: Int) throws(DiagramLimitReached) {
    var pebble = SymbolicPebble()
    if let variable = activations[row] {
      pebble.disabled = !(try diagram.function(of: variable))
      pebble.skipped = pebble.disabled
    }
    values[row] = .open
    if row < pebbleCount { pebbles[row] = pebble }
  }

  /// Updates the value of a row from the rows on which it depends. If the row belongs to a pebble,
  /// the outcome of the pebble is updated as well.
  ///
  /// - Returns: Whether anything has changed.
  @discardableResult
  mutating func update(_ row: Int) throws(DiagramLimitReached) -> Bool {
    try diagram.takeSteps(1)
    let value = try gateValue(row)
    let hasChanged = value != values[row]
    values[row] = value
    guard row < pebbleCount else { return hasChanged }
    return try updateOutcome(of: row, value) || hasChanged
  }

  private mutating func gateValue(_ gate: Int) throws(DiagramLimitReached) -> SymbolicValue {
    if model.pond.network.kind(ofRow: gate) == .pebbleCase { return try value(ofCase: gate) }
    var values: [SymbolicValue] = []
    for operand in operands(of: gate) { values.append(try value(of: operand)) }
    if let constants = constants[gate] { values += constants.map(SymbolicValue.constant) }
    return try diagram.value(ofGate: model.pond.network.kinds[gate], values)
  }

  private mutating func value(
    of operand: OperandIndex.Operand
  ) throws(DiagramLimitReached) -> SymbolicValue {
    let source = Int(operand.source)
    guard source < pebbleCount else {
      guard let value = values[source] else { throw DiagramLimitReached() }
      return operand.outcomes.contains(.succeeded) ? value : !value
    }
    let isTrue = try outcome(of: source, isIn: operand.outcomes)
    guard let pebble = pebbles[source] else { throw DiagramLimitReached() }
    if pebble.ran == !pebble.skipped { return SymbolicValue(isTrue: isTrue, isFalse: !isTrue) }
    let isFalse = try outcome(of: source, isIn: operand.outcomes.complement)
    return SymbolicValue(isTrue: isTrue, isFalse: isFalse)
  }

  /// Returns the scenarios where the outcome of a pebble is one of the given outcomes.
  package mutating func outcome(
    of position: Int, isIn outcomes: OutcomeSet
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard let pebble = pebbles[position] else { throw DiagramLimitReached() }
    let completed = outcomes.intersection(.completed)
    let ran: BooleanFunction =
      switch completed {
      case .completed: pebble.ran
      case .succeeded: pebble.succeeded
      case .failed: pebble.failed
      default: .never
      }
    return outcomes.contains(.skipped) ? try diagram.or(ran, pebble.skipped) : ran
  }

  private mutating func updateOutcome(
    of row: Int, _ value: SymbolicValue
  ) throws(DiagramLimitReached) -> Bool {
    guard let old = pebbles[row] else { throw DiagramLimitReached() }
    var pebble = old
    // A pebble that was skipped in a stall or is disabled stays skipped, regardless of the value of
    // its condition.
    let isExcluded = try diagram.or(pebble.disabled, pebble.stalled)
    pebble.ran = try diagram.and(!isExcluded, value.isTrue)
    pebble.skipped = value.isTotal ? !pebble.ran : try diagram.or(isExcluded, value.isFalse)
    guard pebble != old else { return false }
    (pebble.succeeded, pebble.failed) = try completions(of: row, where: pebble.ran)
    pebbles[row] = pebble
    return true
  }

  /// Returns the scenarios where a pebble succeeds and those where it fails. `ended` contains all
  /// scenarios where the pebble runs to its end. A pebble whose output is given to the run succeeds
  /// in all these scenarios.
  mutating func completions(
    of pebble: Int, where ended: BooleanFunction
  ) throws(DiagramLimitReached) -> (succeeded: BooleanFunction, failed: BooleanFunction) {
    guard let body = bodies[pebble] else { return (ended, .never) }
    return (
      try diagram.and(ended, where: body, is: true), try diagram.and(ended, where: body, is: false)
    )
  }
}
