extension ReadinessState {
  package func status(of pebble: Int) -> PebbleStatus {
    let known = pebbles[pebble].status.load(ordering: .acquiring) & ~Self.claimed
    let status = PebbleStatus(rawValue: known)
    guard let status else { preconditionFailure("pebble \(pebble) has an impossible status") }
    return status
  }

  /// When the body of a settled pebble was started, in nanoseconds; meaningless if it never was.
  package func startTime(of pebble: Int) -> UInt64 { pebbles[pebble].started }

  /// When a settled pebble settled, in nanoseconds.
  package func finishTime(of pebble: Int) -> UInt64 { pebbles[pebble].finished }

  /// The pebble whose settling decided the condition of a settled pebble, if it was one.
  package func cause(of pebble: Int) -> Int? { cause(ofGate: pebble) }

  /// The pebble whose settling decided a gate, as `decider(ofGate:)`.
  package func cause(ofGate gate: Int) -> Int? {
    decider(ofGate: gate).flatMap { row in
      if row < pebbleCount { return row }
      let cause = innerGates[row - pebbleCount].cause
      return cause == PebbleState.none ? nil : Int(cause)
    }
  }

  /// The row of the operand that decided a gate, the root gate of a pebble that has settled or one
  /// that took part in deciding it: of an AND that is false and an OR that is true the one operand
  /// that did it alone, of others the last to arrive. `nil` if it was a constant, or, of a gate
  /// that nobody has seen the outcome of, as long as it has not been noted.
  package func decider(ofGate gate: Int) -> Int? {
    let decider =
      gate < pebbleCount
      ? pebbles[gate].decider.load(ordering: .acquiring)
      : innerGates[gate - pebbleCount].decider.load(ordering: .acquiring)
    return decider == PebbleState.none ? nil : Int(decider)
  }

  /// When the condition of a pebble that ran became true, in nanoseconds: the moment the last of
  /// those settled that it was true because of.
  package func readyTime(of pebble: Int) -> UInt64 {
    let time = enabledTime(of: pebble)
    return status(of: pebble) == .waiting ? time : min(time, pebbles[pebble].started)
  }

  /// The value of a gate as counted so far, or `nil` while it is undecided.
  package func value(ofGate gate: Int) -> Bool? {
    let dominant = network.kinds[gate] == .any
    return switch GateCounter.reading(counter(ofGate: gate)) {
    case .open: nil
    case .dominated: dominant
    case .exhausted: !dominant
    }
  }

  /// The value of an operand of a gate, or `nil` while it is undecided.
  package func value(of operand: OperandIndex.Operand) -> Bool? {
    let source = Int(operand.source)
    return switch network.kind(ofRow: source) {
    case .pebble: status(of: source).event.map(operand.outcomes.accepts)
    case .pebbleCase, .gate:
      value(ofGate: source).map { operand.outcomes.accepts(Event($0)) }
    }
  }

  /// The cases of a pebble that hold; none as long as not all are known, a moment after it has
  /// settled.
  package func cases(of pebble: Int) -> [PebbleCase] {
    let rows = network.cases.rows(of: pebble)
    let values = rows.map(value(ofGate:))
    guard !values.contains(nil) else { return [] }
    return zip(rows, values).filter { $1 == true }.map { network.cases[$0.0].name }
  }

  /// The rows of all cases that hold, as far as is known.
  package var heldCases: Set<Int> {
    Set(network.cases.rows.filter { value(ofGate: $0) == true })
  }

  /// When the last of the pebbles that enabled this one settled, in nanoseconds; 0 if none did.
  /// Inlined, which saves a call for each pebble.
  @inline(__always)
  func enabledTime(of pebble: Int) -> UInt64 {
    finishTime(ofLatest: pebbles[pebble].latest.load(ordering: .acquiring))
  }

  /// When a pebble settled, in nanoseconds; 0 if it is none. Inlined, which saves a call for each
  /// atom.
  @inline(__always)
  func finishTime(ofLatest pebble: UInt32) -> UInt64 {
    pebble == PebbleState.none ? 0 : pebbles[Int(pebble)].finished
  }

  private func counter(ofGate gate: Int) -> UInt32 {
    gate < network.pebbleCount
      ? pebbles[gate].remaining.load(ordering: .acquiring)
      : innerGates[gate - network.pebbleCount].remaining.load(ordering: .acquiring)
  }
}
