import Synchronization

/// The methods that settle pebbles and pass the consequences on to other pebbles.
///
/// Functions marked `@inline(__always)` run for every pebble or every atom, and inlining saves a
/// call for each. Functions marked `@inline(never)` are rarely called, and keeping them out of line
/// keeps the common path short.
extension ReadinessState {
  /// Begins a run by settling the pebbles whose outcomes are known.
  ///
  /// Passes on the resulting decisions, and adds the pebbles that can start immediately to the list
  /// of ready pebbles. This method must be called exactly once, before any other.
  ///
  /// - Parameters:
  ///   - known: The outcomes known when the run begins.
  ///   - listsInitial: Whether the pebbles without a condition are listed as well. Pass `false` if
  ///     all of them take part and the caller takes them from `network.initiallyReady`.
  ///   - decisions: The decisions to which the results are added.
  package func begin(
    knowing known: KnownOutcomes = KnownOutcomes(), listsInitial: Bool = true,
    into decisions: inout Decisions
  ) {
    // All of them settle before the first outcome is passed on, because one of them may wait for
    // another to be skipped.
    for pebble in known.disabled {
      skip(Int(pebble), .skippedAsDisabled, at: 0, into: &decisions)
    }
    for pebble in known.notAskedFor {
      skip(Int(pebble), .skippedAsNotAskedFor, at: 0, into: &decisions)
    }
    for success in known.succeeded {
      settle(Int(success.pebble), .succeeded, at: 0, into: &decisions)
    }
    sendConstants(into: &decisions)
    sendPending(into: &decisions)
    for success in known.succeeded {
      sendEnd(of: Int(success.pebble), succeeded: true, success.cases, into: &decisions)
      // Everything is passed on before the next success, so that no two pebbles are noted as each
      // other's deciders.
      sendPending(into: &decisions)
    }
    if listsInitial {
      let initial = network.initiallyReady
      for place in 0..<initial.count where status(of: Int(initial[place])) == .waiting {
        decisions.ready.append(initial[place])
      }
    }
    checkInvariants()
  }

  /// Passes on the constants and the values of the gates that they decide. Skips are passed on only
  /// after all constants have arrived. Otherwise, a pebble could be noted as the decider of a
  /// condition that constants alone make false.
  private func sendConstants(into decisions: inout Decisions) {
    let none = PebbleState.none
    for edge in network.constants {
      arrive(along: edge, .succeeded, from: none, cause: none, latest: none, into: &decisions)
    }
    sendGates(into: &decisions)
  }

  /// Marks a ready pebble as running. This method must be called just before the body is called.
  @inline(__always)
  package func pebbleStarted(_ pebble: Int, at time: UInt64) {
    assert(status(of: pebble) == .waiting, "pebble \(pebble) was started twice")
    pebbles[pebble].started = time
    pebbles[pebble].status.store(PebbleStatus.running.rawValue, ordering: .releasing)
  }

  /// Marks a running pebble as waiting again. Used when the body will not be called after all.
  ///
  /// - Returns: Whether the start was revoked. If not, the pebble has been abandoned and must be
  ///   settled.
  package func startRevoked(of pebble: Int) -> Bool {
    pebbles[pebble].status.compareExchange(
      expected: PebbleStatus.running.rawValue, desired: PebbleStatus.waiting.rawValue,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Claims the end of a running pebble whose body has ended or has been abandoned. The first
  /// caller to claim the end must settle the pebble.
  ///
  /// - Returns: Whether the caller is the first.
  @inline(__always)
  package func claimEnd(of pebble: Int) -> Bool {
    let running = PebbleStatus.running.rawValue
    return pebbles[pebble].status.compareExchange(
      expected: running, desired: running | Self.claimed, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The flag in the status of a pebble whose end has been claimed. The flag is cleared when the
  /// pebble settles.
  static let claimed: UInt8 = 0x80

  /// Settles a running pebble whose body has ended.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - succeeded: Whether the pebble has succeeded.
  ///   - cases: The cases that hold.
  ///   - time: The time at which the body ended, in nanoseconds.
  ///   - decisions: The decisions to which the results are added.
  @inline(__always)
  package func pebbleFinished(
    _ pebble: Int, succeeded: Bool, cases: CaseSet = CaseSet(), at time: UInt64,
    into decisions: inout Decisions
  ) {
    assert(status(of: pebble) == .running, "pebble \(pebble) finished without having started")
    settle(pebble, succeeded ? .succeeded : .failed, at: time, into: &decisions)
    sendEnd(of: pebble, succeeded: succeeded, cases, into: &decisions)
    sendPending(into: &decisions)
  }

  /// Passes on the outcome of a pebble whose body has ended, and the cases that hold.
  @inline(__always)
  private func sendEnd(
    of pebble: Int, succeeded: Bool, _ cases: CaseSet, into decisions: inout Decisions
  ) {
    let cause = UInt32(pebble)
    if hasCases { answerCases(of: pebble, cases, into: &decisions) }
    send(Event(succeeded), from: pebble, cause: cause, latest: cause, into: &decisions)
  }

  /// Records the outcome of a pebble without passing it on.
  @inline(__always)
  private func settle(
    _ pebble: Int, _ status: PebbleStatus, at time: UInt64, into decisions: inout Decisions
  ) {
    pebbles[pebble].finished = time
    settleLog?.pebbleSettled(pebble)
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
    decisions.settledCount += 1
  }

  /// Delivers the second operand of each case of a settled pebble, which states whether the case
  /// holds. A case that belongs to another outcome becomes false, regardless of this operand.
  @inline(never)
  private func answerCases(
    of pebble: Int, _ cases: CaseSet, into decisions: inout Decisions
  ) {
    let cause = UInt32(pebble)
    for (place, row) in network.cases.rows(of: pebble).enumerated() {
      let answer = Edge(to: row, .all, .succeeded)
      arrive(
        along: answer, Event(cases.contains(place: place)), from: cause, cause: cause,
        latest: cause, into: &decisions)
    }
  }

  /// Skips all pebbles that have not started, and passes on the consequences. The run must be at
  /// rest. This method is called at most once.
  ///
  /// - Complexity: O(pebbles + atoms).
  package func cancelRemaining(at time: UInt64, into decisions: inout Decisions) {
    for pebble in 0..<network.pebbleCount where status(of: pebble) == .waiting {
      pebbles[pebble].decider.store(PebbleState.none, ordering: .releasing)
      skip(pebble, .skippedByCancellation, at: time, into: &decisions)
    }
    // Nothing is left that could start; only the goal and cases can still be undecided.
    sendPending(into: &decisions)
    checkInvariants()
  }

  /// Skips a ready pebble because of `holder`. The holder is either a service that stays down, or a
  /// pebble that may never release resources that the skipped pebble needs. The run must be at
  /// rest.
  package func holderStuck(
    _ holder: Int, heldFrom pebble: Int, at time: UInt64, into decisions: inout Decisions
  ) {
    pebbles[pebble].decider.store(UInt32(holder), ordering: .releasing)
    skip(pebble, .skippedByHolder, at: time, into: &decisions)
    sendPending(into: &decisions)
  }

  /// Skips a pebble for the given reason. The skip is not passed on until `sendPending(into:)` is
  /// called.
  func skip(
    _ pebble: Int, _ reason: PebbleStatus, at time: UInt64, into decisions: inout Decisions
  ) {
    assert(reason.event == .skipped && status(of: pebble) == .waiting)
    settle(pebble, reason, at: time, into: &decisions)
    decisions.wasSkipped(UInt32(pebble))
    if decisions.listsSkipped { decisions.skipped.append(UInt32(pebble)) }
  }

  /// Sends one event along all edges that start at a row.
  @inline(__always)
  func send(
    _ event: Event, from row: Int, cause: UInt32, latest: UInt32, into decisions: inout Decisions
  ) {
    for position in offsets[row]..<offsets[row + 1] {
      arrive(
        along: edges[Int(position)], event, from: UInt32(row), cause: cause, latest: latest,
        into: &decisions)
    }
  }

  /// Passes on all pending values and skips, and all values and skips that result from them.
  @inline(__always)
  func sendPending(into decisions: inout Decisions) {
    if !decisions.isAllSent { sendAllPending(into: &decisions) }
  }

  /// Passes on everything that is pending. The function is not inlined, so that the loop costs
  /// nothing for pebbles that neither decide an inner gate nor cause a skip.
  @inline(never)
  private func sendAllPending(into decisions: inout Decisions) {
    sendGates(into: &decisions)
    while let pebble = decisions.takeUnsent() {
      send(.skipped, from: Int(pebble), cause: pebble, latest: pebble, into: &decisions)
      sendGates(into: &decisions)
    }
  }

  @inline(__always)
  private func sendGates(into decisions: inout Decisions) {
    while let next = decisions.pending.popLast() {
      send(
        next.event, from: Int(next.row), cause: next.cause, latest: next.latest, into: &decisions)
    }
  }

  /// Delivers one operand to a gate.
  ///
  /// - Parameters:
  ///   - edge: The edge of the operand.
  ///   - event: The event at the source of the edge.
  ///   - source: The row of the source; `PebbleState.none` for a constant.
  ///   - cause: The pebble that decided that row when it settled.
  ///   - latest: Of the pebbles that decided that row, the one that settled last by the clock.
  ///   - decisions: The decisions to which the results are added.
  @inline(__always)
  private func arrive(
    along edge: Edge, _ event: Event, from source: UInt32, cause: UInt32, latest: UInt32,
    into decisions: inout Decisions
  ) {
    let gate = edge.gate
    let isDominant = edge.isDominant(event)
    guard gate < pebbleCount else {
      let inner = innerGates + (gate - pebbleCount)
      let isDecided = GateCounter.arrive(
        at: inner.pointee.remaining, isDominant: isDominant,
        leaveNote: { note(latest, in: inner.pointee.latest) })
      if isDecided {
        inner.pointee.cause = cause
        inner.pointee.decider.store(source, ordering: .releasing)
        let noted = inner.pointee.latest.load(ordering: .relaxed)
        let arrival = Decisions.Arrival(
          row: UInt32(gate), event: Event(edge.value(of: event)), cause: cause,
          latest: isDominant ? latest : later(latest, noted))
        decisions.pending.append(arrival)
      }
      return
    }
    let pebble = pebbles + gate
    let isDecided = GateCounter.arrive(
      at: pebble.pointee.remaining, isDominant: isDominant,
      leaveNote: { note(latest, in: pebble.pointee.latest) })
    guard isDecided else { return }
    // The last operands may still reach a pebble that was skipped in a stall or known to succeed.
    // It keeps its outcome; the decider of a pebble known to succeed is noted nevertheless.
    let status = status(of: gate)
    guard !status.isSettled else {
      if status == .succeeded { pebble.pointee.decider.store(source, ordering: .releasing) }
      return
    }
    let noted = pebble.pointee.latest.load(ordering: .relaxed)
    let latest = isDominant ? latest : later(latest, noted)
    pebble.pointee.decider.store(source, ordering: .releasing)
    if edge.value(of: event) {
      pebble.pointee.latest.store(latest, ordering: .releasing)
      decisions.becameReady(UInt32(gate))
    } else {
      skip(gate, .skippedByCondition, at: finishTime(ofLatest: latest), into: &decisions)
    }
  }

  /// Stores a settled pebble in `latest`, unless the pebble that is already there settled at the
  /// same time or later by the clock.
  @inline(__always)
  private func note(_ pebble: UInt32, in latest: borrowing Atomic<UInt32>) {
    guard pebble != PebbleState.none else { return }
    var noted = latest.load(ordering: .acquiring)
    while noted == PebbleState.none
      || pebbles[Int(noted)].finished < pebbles[Int(pebble)].finished
    {
      let (isDone, current) = latest.weakCompareExchange(
        expected: noted, desired: pebble, ordering: .acquiringAndReleasing)
      if isDone { return }
      noted = current
    }
  }

  /// Compares two settled pebbles, and returns the one that settled later by the clock. Returns the
  /// first one if both settled at the same time.
  @inline(__always)
  private func later(_ one: UInt32, _ other: UInt32) -> UInt32 {
    finishTime(ofLatest: one) < finishTime(ofLatest: other) ? other : one
  }

  /// Checks the whole state after rare transitions, in debug builds only. Transitions that happen
  /// for every pebble assert only what they touch, because checking everything would make a debug
  /// run quadratic.
  func checkInvariants() {
    assert(
      (0..<network.pebbleCount).allSatisfy { pebble in
        switch status(of: pebble) {
        case .waiting, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
          .skippedAsNotAskedFor:
          true
        case .running, .succeeded, .failed, .skippedByHolder: value(ofGate: pebble) == true
        case .skippedByCondition: value(ofGate: pebble) == false
        }
      }, "a pebble and its root gate disagree")
  }
}
