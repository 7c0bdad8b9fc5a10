extension ReadinessState {
  package func status(of pebble: Int) -> PebbleStatus {
    let known = pebbles[pebble].status.load(ordering: .acquiring) & ~Self.claimed
    let status = PebbleStatus(rawValue: known)
    guard let status else { preconditionFailure("pebble \(pebble) has an impossible status") }
    return status
  }

  /// Returns the time at which the body of a settled pebble was started, in nanoseconds. The result
  /// is meaningless if the body was never started.
  package func startTime(of pebble: Int) -> UInt64 { pebbles[pebble].started }

  /// Returns the time at which a pebble settled, in nanoseconds. The pebble must have settled.
  package func finishTime(of pebble: Int) -> UInt64 { pebbles[pebble].finished }

  /// Returns the pebble that, when it settled, decided the condition of a settled pebble; `nil` if
  /// no pebble decided the condition. For a ready pebble that was skipped because of a holder,
  /// returns the holder; see `holderStuck(_:heldFrom:at:into:)`.
  package func cause(of pebble: Int) -> Int? { cause(ofGate: pebble) }

  /// Returns the pebble that decided a gate when it settled; `nil` if no pebble decided the gate.
  /// The result is reliable for the same gates as the result of `decider(ofGate:)`.
  package func cause(ofGate gate: Int) -> Int? {
    decider(ofGate: gate).flatMap { row in
      if row < pebbleCount { return row }
      let cause = innerGates[row - pebbleCount].cause
      return cause == PebbleState.none ? nil : Int(cause)
    }
  }

  /// Returns the row of the operand that decided a gate; `nil` if a constant decided the gate, or
  /// if no decider has been noted yet.
  ///
  /// If the gate is a false AND or a true OR, this operand decided the gate alone; otherwise, it
  /// was the last operand to arrive. The result is reliable for the root gate of a settled pebble,
  /// and for all gates that took part in deciding this root.
  package func decider(ofGate gate: Int) -> Int? {
    let decider =
      gate < pebbleCount
      ? pebbles[gate].decider.load(ordering: .acquiring)
      : innerGates[gate - pebbleCount].decider.load(ordering: .acquiring)
    return decider == PebbleState.none ? nil : Int(decider)
  }

  /// Returns the time at which the condition of a pebble became true, in nanoseconds. The pebble
  /// must be ready or must have been started. The result is the time at which the last of the
  /// pebbles that enabled the given pebble settled, or the start time of the given pebble if that
  /// is earlier.
  package func readyTime(of pebble: Int) -> UInt64 {
    let time = enabledTime(of: pebble)
    return status(of: pebble) == .waiting ? time : min(time, pebbles[pebble].started)
  }

  /// Returns the value of a gate; `nil` while it is undecided.
  package func value(ofGate gate: Int) -> Bool? {
    let dominant = network.kinds[gate] == .any
    return switch GateCounter.reading(counter(ofGate: gate)) {
    case .open: nil
    case .dominated: dominant
    case .exhausted: !dominant
    }
  }

  /// Returns the value of an operand of a gate; `nil` while the operand is undecided.
  package func value(of operand: OperandIndex.Operand) -> Bool? {
    let source = Int(operand.source)
    return switch network.kind(ofRow: source) {
    case .pebble: status(of: source).event.map(operand.outcomes.accepts)
    case .pebbleCase, .gate:
      value(ofGate: source).map { operand.outcomes.accepts(Event($0)) }
    }
  }

  /// Returns the cases that hold for a pebble. The result is empty until all cases are known,
  /// shortly after the pebble has settled.
  package func cases(of pebble: Int) -> [PebbleCase] {
    let rows = network.cases.rows(of: pebble)
    let values = rows.map(value(ofGate:))
    guard !values.contains(nil) else { return [] }
    return zip(rows, values).filter { $1 == true }.map { network.cases[$0.0].name }
  }

  /// Returns the status of a pebble for display together with the pebble's cases. A pebble that has
  /// succeeded or failed counts as running until all its cases are known, shortly after it settles.
  func statusWithCases(of pebble: Int) -> PebbleStatus {
    let status = status(of: pebble)
    guard status == .succeeded || status == .failed else { return status }
    let isOpen = network.cases.rows(of: pebble).contains { value(ofGate: $0) == nil }
    return isOpen ? .running : status
  }

  /// The rows of all cases that are known to hold.
  package var heldCases: Set<Int> {
    Set(network.cases.rows.filter { value(ofGate: $0) == true })
  }

  /// Returns the latest finish time, in nanoseconds, among the pebbles that enabled a pebble; 0 if
  /// no pebble enabled it. Inlining saves a call for each pebble.
  @inline(__always)
  func enabledTime(of pebble: Int) -> UInt64 {
    finishTime(ofLatest: pebbles[pebble].latest.load(ordering: .acquiring))
  }

  /// Returns the time at which a pebble settled, in nanoseconds; 0 for `PebbleState.none`. Inlining
  /// saves a call for each atom.
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
