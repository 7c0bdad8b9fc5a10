/// What is done when no runner is left: the run goes on, because something that waited for others
/// in a cycle, or for what is held, has been settled; or it is over.
extension RunCore {
  /// No runner is left: settles what still waits, and ends the run if that lets nothing start.
  ///
  /// - Returns: Whether something became ready and is in the queue; the caller is then a runner
  ///   again.
  func cameToRest(_ decisions: inout Decisions) async -> Bool {
    life.take { $0.cameToRest() }
    let holders = await lateHolders()
    let now = clock.now()
    if let holders, !skipBlocked(by: holders, &decisions, at: now) {
      return resume(with: &decisions)
    }
    if settleRemaining(&decisions, at: now) { return resume(with: &decisions) }
    let hasOutputs = hasOutputs
    perform(life.take { $0.allSettled(at: now, hasOutputs: hasOutputs) })
    perform(life.take { $0.endTold() })
    return false
  }

  /// Whether something has an output, or is up, that its pebble can tear down.
  private var hasOutputs: Bool {
    program.options.contains { pebble, options in
      options.teardown != nil && storage.state.status(of: Int(pebble)) == .succeeded
    }
  }

  /// - Returns: That the run goes on.
  private func resume(with decisions: inout Decisions) -> Bool {
    life.take { $0.resumed() }
    crew.resume()
    queue.append(decisions.ready[...])
    summonSpare(isUrgent: true)
    decisions.ready.removeAll(keepingCapacity: true)
    return true
  }

  /// Waits, in a run that is at rest but for pebbles that wait for what late bodies hold, until one
  /// of these bodies has ended, or the run has no more patience with any of them.
  ///
  /// - Returns: Those that still hold something; `nil` if no pebble waits for them.
  private func lateHolders() async -> [LateBody]? {
    guard queue.isOrdered else { return nil }
    while !isCancelled, queue.waitingCount > 0, queue.isEmpty {
      let (holders, change) = lateBodies.current
      let now = clock.now()
      let last = min(holders.map(\.lastMoment).max() ?? 0, options.deadline ?? .max)
      guard last > now else { return holders }
      _ = await waits(for: change, atMost: rest(until: last))
      if isDeadlinePassed(at: clock.now()), let deadline = options.deadline {
        cancel(.deadlinePassed, at: deadline)
      }
    }
    return isCancelled || queue.waitingCount == 0 ? nil : []
  }

  /// Skips the pebbles that wait for what late bodies hold and may never give back.
  ///
  /// - Returns: Whether the run is still at rest.
  private func skipBlocked(
    by holders: [LateBody], _ decisions: inout Decisions, at now: UInt64
  ) -> Bool {
    decisions.listsSkipped = isObserved
    for (pebble, holder) in queue.removeBlocked(by: holders.map(\.pebble)) {
      storage.state.holderStuck(holder, heldFrom: pebble, at: now, into: &decisions)
    }
    noteDecisions(&decisions, at: now)
    noteSettled(decisions.settledCount)
    decisions.settledCount = 0
    return decisions.ready.isEmpty && queue.isEmpty
  }

  /// Settles what waits in a run at rest: skips it in a cancelled run, resolves stalls in others.
  ///
  /// - Returns: Whether something became ready; otherwise every pebble has settled.
  private func settleRemaining(_ decisions: inout Decisions, at now: UInt64) -> Bool {
    let state = storage.state
    while settledCount.load(ordering: .relaxed) < state.network.pebbleCount {
      decisions.listsSkipped = isObserved
      if isCancelled {
        state.cancelRemaining(at: life.cancellationTime, into: &decisions)
      } else {
        state.resolveStall(storage.pond.operands, at: now, into: &decisions)
        noteStall(decisions, at: now)
      }
      noteDecisions(&decisions, at: now)
      let isReady = !decisions.ready.isEmpty
      precondition(isReady || decisions.settledCount > 0, "a stall was not resolved")
      noteSettled(decisions.settledCount)
      decisions.settledCount = 0
      if isReady { return true }
    }
    return false
  }
}
