import Synchronization

/// What is `@inline(__always)` here is passed through for every pebble or every atom, and saves a
/// call for each; what is `@inline(never)` is not, and keeps that way short.
extension ReadinessState {
  /// Begins a run: settles the pebbles of which it is known how they end, sends what is decided
  /// before any pebble has run, and lists as ready what can start at once. Called first, and once.
  ///
  /// - Parameters:
  ///   - known: What is known.
  ///   - listsInitial: Whether the pebbles without a condition are listed as well; not where the
  ///     caller takes them from `network.initiallyReady` itself, because all of them take part.
  ///   - decisions: What is to be done now.
  package func begin(
    knowing known: KnownOutcomes = KnownOutcomes(), listsInitial: Bool = true,
    into decisions: inout Decisions
  ) {
    // All before the first is sent on: one of them may wait for another to be skipped.
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
      // Before the next one, lest two be noted to have decided each other.
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

  /// Sends constants as far as they decide gates. Skips are not sent on before all of them have
  /// arrived: a pebble that is false as it stands has no other that decided it.
  private func sendConstants(into decisions: inout Decisions) {
    let none = PebbleState.none
    for edge in network.constants {
      arrive(along: edge, .succeeded, from: none, cause: none, latest: none, into: &decisions)
    }
    sendGates(into: &decisions)
  }

  /// The body of a ready pebble is about to be called.
  @inline(__always)
  package func pebbleStarted(_ pebble: Int, at time: UInt64) {
    assert(status(of: pebble) == .waiting, "pebble \(pebble) was started twice")
    pebbles[pebble].started = time
    pebbles[pebble].status.store(PebbleStatus.running.rawValue, ordering: .releasing)
  }

  /// A ready pebble whose body was about to be called does not start after all.
  ///
  /// - Returns: Whether that is so; otherwise it has been given up, and is to be settled.
  package func startRevoked(of pebble: Int) -> Bool {
    pebbles[pebble].status.compareExchange(
      expected: PebbleStatus.running.rawValue, desired: PebbleStatus.waiting.rawValue,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The body of a pebble has ended, or is given up: whoever says so first is to settle it.
  ///
  /// - Returns: Whether this is the first to say so.
  @inline(__always)
  package func claimEnd(of pebble: Int) -> Bool {
    let running = PebbleStatus.running.rawValue
    return pebbles[pebble].status.compareExchange(
      expected: running, desired: running | Self.claimed, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// What is added to the status of a pebble whose body has ended and that has not settled.
  static let claimed: UInt8 = 0x80

  /// The body of a pebble has ended.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - succeeded: Whether it has succeeded.
  ///   - cases: Which of its cases hold.
  ///   - time: When it ended.
  ///   - decisions: What is to be done now.
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

  /// Sends on how the body of a pebble has ended, and which cases hold.
  @inline(__always)
  private func sendEnd(
    of pebble: Int, succeeded: Bool, _ cases: CaseSet, into decisions: inout Decisions
  ) {
    let cause = UInt32(pebble)
    if hasCases { answerCases(of: pebble, cases, into: &decisions) }
    send(Event(succeeded), from: pebble, cause: cause, latest: cause, into: &decisions)
  }

  /// Gives a pebble its outcome. What follows from that is yet to be sent on.
  @inline(__always)
  private func settle(
    _ pebble: Int, _ status: PebbleStatus, at time: UInt64, into decisions: inout Decisions
  ) {
    pebbles[pebble].finished = time
    settleLog?.pebbleSettled(pebble)
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
    decisions.settledCount += 1
  }

  /// Brings the cases of a pebble that has settled their answers. Those of another outcome are
  /// false whatever the answer.
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

  /// Skips everything that has not started, and decides with that what is left. The run must be at
  /// rest. Called once.
  ///
  /// - Complexity: O(pebbles + atoms).
  package func cancelRemaining(at time: UInt64, into decisions: inout Decisions) {
    for pebble in 0..<network.pebbleCount where status(of: pebble) == .waiting {
      pebbles[pebble].decider.store(PebbleState.none, ordering: .releasing)
      skip(pebble, .skippedByCancellation, at: time, into: &decisions)
    }
    // What is still undecided now is the goal, and cases: nothing is left that could start.
    sendPending(into: &decisions)
    checkInvariants()
  }

  /// Skips a ready pebble, because what it needs to start is held by one that may never give it
  /// back. The run must be at rest.
  package func holderStuck(
    _ holder: Int, heldFrom pebble: Int, at time: UInt64, into decisions: inout Decisions
  ) {
    pebbles[pebble].decider.store(UInt32(holder), ordering: .releasing)
    skip(pebble, .skippedByHolder, at: time, into: &decisions)
    sendPending(into: &decisions)
  }

  /// Gives a pebble an outcome without running it. It is sent on with what is pending.
  func skip(
    _ pebble: Int, _ reason: PebbleStatus, at time: UInt64, into decisions: inout Decisions
  ) {
    assert(reason.event == .skipped && status(of: pebble) == .waiting)
    settle(pebble, reason, at: time, into: &decisions)
    decisions.wasSkipped(UInt32(pebble))
    if decisions.listsSkipped { decisions.skipped.append(UInt32(pebble)) }
  }

  /// Sends one event along all edges of a source.
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

  /// Sends on what has been decided on the way, until nothing is left.
  @inline(__always)
  func sendPending(into decisions: inout Decisions) {
    if !decisions.isAllSent { sendAllPending(into: &decisions) }
  }

  /// Out of line: a pebble that decides no operator and skips nothing does not pay for the loop.
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

  /// One operand arrives at a gate.
  ///
  /// - Parameters:
  ///   - edge: The edge along which it comes.
  ///   - event: What has become of its source.
  ///   - source: The row of that; none for a constant.
  ///   - cause: The pebble whose settling has decided that row.
  ///   - latest: The one that has settled last by the clock of those that decided it.
  ///   - decisions: What is to be done now.
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
    // A pebble skipped in a stall may still be reached by its last operands: it has its outcome.
    // So has one that was known to succeed; what decides its condition is noted all the same.
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

  /// Leaves a note of a settled pebble where others that settled later by the clock have not.
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

  /// Of two settled pebbles the one that settled later by the clock; the first if that is the same.
  @inline(__always)
  private func later(_ one: UInt32, _ other: UInt32) -> UInt32 {
    finishTime(ofLatest: one) < finishTime(ofLatest: other) ? other : one
  }

  /// A check of the whole state after rare transitions; it compiles out of release builds. In the
  /// ones that happen for every pebble it would make a debug run quadratic, so those assert what
  /// they touch.
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
