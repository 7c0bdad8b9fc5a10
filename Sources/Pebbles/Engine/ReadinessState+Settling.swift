extension ReadinessState {
  /// Begins a run: skips the pebbles that take no part in it, sends what is decided before any
  /// pebble has run (constants, and every predicate for its first evaluation), and lists as ready
  /// what can start at once. Called first, and once.
  ///
  /// - Parameters:
  ///   - disabled: The pebbles that take no part.
  ///   - listsInitial: Whether the pebbles without a condition are listed as well; not where the
  ///     caller takes them from `network.initiallyReady` itself, because all of them take part.
  ///   - decisions: What is to be done now.
  package func begin(
    disabling disabled: [UInt32] = [], listsInitial: Bool = true, into decisions: inout Decisions
  ) {
    disable(disabled, into: &decisions)
    for predicate in 0..<UInt32(network.predicateCount) {
      decisions.predicates.append(
        PredicateRequest(predicate: predicate, cause: PebbleState.noCause))
    }
    for edge in network.constants {
      arrive(along: edge, .succeeded, cause: PebbleState.noCause, at: 0, into: &decisions)
    }
    sendPending(at: 0, into: &decisions)
    if listsInitial {
      let initial = network.initiallyReady
      for place in 0..<initial.count where status(of: Int(initial[place])) == .waiting {
        decisions.ready.append(initial[place])
      }
    }
    checkInvariants()
  }

  private func disable(_ disabled: [UInt32], into decisions: inout Decisions) {
    // All before the first is sent on: one of them may wait for another to be skipped.
    for pebble in disabled { skip(Int(pebble), .skippedAsDisabled, at: 0, into: &decisions) }
    for pebble in disabled {
      send(.skipped, from: Int(pebble), cause: pebble, at: 0, into: &decisions)
    }
    sendPending(at: 0, into: &decisions)
  }

  /// The body of a ready pebble is about to be called.
  @inline(__always)
  package func pebbleStarted(_ pebble: Int, at time: UInt64) {
    assert(status(of: pebble) == .waiting, "pebble \(pebble) was started twice")
    pebbles[pebble].started = time
    pebbles[pebble].status.store(PebbleStatus.running.rawValue, ordering: .releasing)
  }

  /// The body of a pebble has ended.
  @inline(__always)
  package func pebbleFinished(
    _ pebble: Int, succeeded: Bool, at time: UInt64, into decisions: inout Decisions
  ) {
    assert(status(of: pebble) == .running, "pebble \(pebble) finished without having started")
    pebbles[pebble].finished = time
    settleLog?.pebbleSettled(pebble)
    let status: PebbleStatus = succeeded ? .succeeded : .failed
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
    decisions.settledCount += 1
    send(Event(succeeded), from: pebble, cause: UInt32(pebble), at: time, into: &decisions)
    sendPending(at: time, into: &decisions)
  }

  /// A predicate has returned true. Calls after the first for a predicate do nothing.
  package func predicateHeld(
    _ predicate: Int, cause: UInt32, at time: UInt64, into decisions: inout Decisions
  ) {
    guard !heldPredicates[predicate] else { return }
    heldPredicates[predicate] = true
    settleLog?.predicateHeld(predicate)
    let row = network.row(ofPredicate: predicate)
    send(.succeeded, from: row, cause: cause, at: time, into: &decisions)
    sendPending(at: time, into: &decisions)
  }

  /// Skips everything that has not started. The run must be at rest.
  ///
  /// - Complexity: O(pebbles).
  package func cancelRemaining(at time: UInt64, into decisions: inout Decisions) {
    for pebble in 0..<network.pebbleCount where status(of: pebble) == .waiting {
      pebbles[pebble].cause = PebbleState.noCause
      skip(pebble, .skippedByCancellation, at: time, into: &decisions)
    }
    checkInvariants()
  }

  /// Gives a pebble an outcome without running it; sending that on is the caller's next step.
  func skip(
    _ pebble: Int, _ reason: PebbleStatus, at time: UInt64, into decisions: inout Decisions
  ) {
    assert(reason.event == .skipped && status(of: pebble) == .waiting)
    pebbles[pebble].finished = time
    settleLog?.pebbleSettled(pebble)
    pebbles[pebble].status.store(reason.rawValue, ordering: .releasing)
    decisions.settledCount += 1
    if decisions.listsSkipped { decisions.skipped.append(UInt32(pebble)) }
  }

  /// Sends one event along all edges of a source.
  @inline(__always)
  func send(
    _ event: Event, from row: Int, cause: UInt32, at time: UInt64, into decisions: inout Decisions
  ) {
    for position in offsets[row]..<offsets[row + 1] {
      arrive(along: edges[Int(position)], event, cause: cause, at: time, into: &decisions)
    }
    if hasPredicateReaders, let readers = network.predicateReaders[UInt32(row)] {
      decisions.predicates += readers.lazy.map { PredicateRequest(predicate: $0, cause: cause) }
    }
  }

  /// Sends on what has been decided on the way, until nothing is left.
  @inline(__always)
  func sendPending(at time: UInt64, into decisions: inout Decisions) {
    while let next = decisions.pending.popLast() {
      send(next.event, from: Int(next.row), cause: next.cause, at: time, into: &decisions)
    }
  }

  /// One operand arrives at a gate.
  @inline(__always)
  private func arrive(
    along edge: Edge, _ event: Event, cause: UInt32, at time: UInt64,
    into decisions: inout Decisions
  ) {
    let gate = edge.gate
    let isDominant = edge.isDominant(event)
    guard gate < pebbleCount else {
      let counter = innerGates + (gate - pebbleCount)
      if GateCounter.arrive(at: counter.pointee, isDominant: isDominant) {
        let arrival = Decisions.Arrival(
          row: UInt32(gate), event: Event(edge.value(of: event)), cause: cause)
        decisions.pending.append(arrival)
      }
      return
    }
    guard GateCounter.arrive(at: pebbles[gate].remaining, isDominant: isDominant) else { return }
    // A pebble skipped in a stall may still be reached by its last operands: it has its outcome.
    guard !status(of: gate).isSettled else { return }
    pebbles[gate].cause = cause
    if edge.value(of: event) {
      decisions.ready.append(UInt32(gate))
    } else {
      skip(gate, .skippedByCondition, at: time, into: &decisions)
      let arrival = Decisions.Arrival(row: UInt32(gate), event: .skipped, cause: UInt32(gate))
      decisions.pending.append(arrival)
    }
  }

  /// A check of the whole state after rare transitions; it compiles out of release builds. In the
  /// ones that happen for every pebble it would make a debug run quadratic, so those assert what
  /// they touch.
  func checkInvariants() {
    assert(
      (0..<network.pebbleCount).allSatisfy { pebble in
        switch status(of: pebble) {
        case .waiting, .skippedByStall, .skippedByPredicate, .skippedByCancellation,
          .skippedAsDisabled:
          true
        case .running, .succeeded, .failed: value(ofGate: pebble) == true
        case .skippedByCondition: value(ofGate: pebble) == false
        }
      }, "a pebble and its root gate disagree")
  }
}
