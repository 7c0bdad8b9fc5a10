/// The work of the last runner after it has found no pebble to take. The runner settles the pebbles
/// that wait for each other or for resources. If other pebbles become ready as a result, the run
/// continues. Otherwise, the run is over.
extension Runner {
  /// Settles the pebbles that are still waiting when no runner is at work. Ends the run if no
  /// pebble can start after that.
  ///
  /// - Returns: Whether pebbles became ready and are now in the queue. If so, the calling runner is
  ///   at work again.
  mutating func cameToRest() async -> Bool {
    core.take { $0.take { $0.cameToRest() } }
    // Repeated, because a service that a pebble waits for may have gone down just now.
    while let holders = await remainingHolders() {
      if !skipBlocked(by: holders, at: clock.now()) { return resume() }
    }
    let now = clock.now()
    if settleRemaining(at: now) { return resume() }
    let hasOutputs = hasOutputs
    core.take { $0.take { $0.allSettled(at: now, hasOutputs: hasOutputs) } }
    core.take { $0.take { $0.endTold() } }
    // Continues a shutdown that an earlier process began.
    if let reason = core.recording?.progress?.shutdown { core.shutDown(reason) }
    return false
  }

  /// Whether any pebble with a teardown has left something that can still be torn down.
  private var hasOutputs: Bool {
    core.program.options.contains { pebble, options in
      options.teardown != nil && storage.hasOpened(Int(pebble))
    }
  }

  /// Continues the run with the pebbles that have become ready.
  ///
  /// - Returns: Always `true`, for use as the result of `cameToRest()`.
  private mutating func resume() -> Bool {
    core.take { $0.take { $0.resumed() } }
    crew.resume()
    queue.append(decisions.ready[...])
    core.summonSpare(isUrgent: true)
    decisions.ready.removeAll(keepingCapacity: true)
    return true
  }

  /// Waits in a run at rest for something that ready pebbles need: a thread, a resource that an
  /// abandoned body still holds, or a service that is down. The wait ends when one of the ready
  /// pebbles can start, or when the maximum waiting time has passed.
  ///
  /// - Returns: The pebbles that still hold resources, and the services that are still down, if the
  ///   time has passed; an empty array if a pebble can start; `nil` if no ready pebble is waiting
  ///   or the run was cancelled.
  private func remainingHolders() async -> [Int]? {
    guard let queue = queue.ordered else { return nil }
    while !core.isCancelled {
      // Read before the queue is examined, so that a later change is not missed.
      let change = life.read { $0.change }
      guard queue.waitingCount > 0, queue.admissibleCount == 0 else { break }
      let services = queue.awaitedServices
      let holders = life.read { life in
        let down = services.map { (pebble: $0, lastMoment: life.staysDown($0) ? 0 : UInt64.max) }
        return life.holders + down
      }
      let patience = queue.waitsForThread ? UInt64.max : holders.map(\.lastMoment).max() ?? 0
      let now = clock.now()
      if core.isDeadlinePassed(at: now) {
        waitsNoLonger()
      } else if patience <= now {
        return holders.map(\.pebble)
      } else {
        _ = await core.waits(for: change, until: min(patience, core.options.deadline ?? .max))
      }
    }
    return core.isCancelled || queue.waitingCount == 0 ? nil : []
  }

  /// Skips the pebbles blocked by resources that may never be released, or by services that stay
  /// down.
  ///
  /// - Returns: Whether the run is still at rest.
  private mutating func skipBlocked(by holders: [Int], at now: UInt64) -> Bool {
    decisions.listsSkipped = core.isObserved
    for (pebble, holder) in queue.ordered?.removeBlocked(by: holders) ?? [] {
      core.recording?.journal.pebbleSkipped(pebble, heldBy: holder, at: now)
      state.holderStuck(holder, heldFrom: pebble, at: now, into: &decisions)
    }
    noteSettled(at: now)
    return decisions.ready.isEmpty && queue.isEmpty
  }

  /// Settles waiting pebbles in a run at rest; see `ReadinessState.settleAtRest`.
  ///
  /// - Returns: Whether pebbles became ready. If not, every pebble has settled.
  private mutating func settleRemaining(at now: UInt64) -> Bool {
    while true {
      let isCancelled = core.isCancelled
      // The count is ignored in a cancelled run, because it does not include pebbles that were
      // settled by a runner that still waits for a body that was abandoned.
      guard isCancelled || core.settledCount.load(ordering: .relaxed) < state.network.pebbleCount
      else { return false }
      decisions.listsSkipped = core.isObserved
      let hasSettled = state.settleAtRest(
        storage.pond.operands, isCancelled: isCancelled,
        at: isCancelled ? life.cancellationTime : now, into: &decisions)
      precondition(hasSettled || isCancelled, "a stall was not resolved")
      noteSettled(at: now)
      if isCancelled { return false }
      if !decisions.ready.isEmpty { return true }
    }
  }

  /// Reports and counts the pebbles that were settled at rest.
  private mutating func noteSettled(at now: UInt64) {
    RunObservation(core).noteStall(decisions, at: now)
    RunObservation(core).noteDecisions(&decisions, at: now)
    core.noteSettled(decisions.settledCount)
    decisions.settledCount = 0
  }
}
