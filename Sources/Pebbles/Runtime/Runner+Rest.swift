/// What is done when no runner is left: the run goes on, because something that waited for others
/// in a cycle, or for what is held, has been settled; or it is over.
extension Runner {
  /// No runner is left: settles what still waits, and ends the run if that lets nothing start.
  ///
  /// - Returns: Whether something became ready and is in the queue; the caller is then a runner
  ///   again.
  mutating func cameToRest() async -> Bool {
    core.take { $0.take { $0.cameToRest() } }
    // Again, because a service may have gone down just then that a pebble waits for.
    while let holders = await lateHolders() {
      if !skipBlocked(by: holders, at: clock.now()) { return resume() }
    }
    let now = clock.now()
    if settleRemaining(at: now) { return resume() }
    let hasOutputs = hasOutputs
    core.take { $0.take { $0.allSettled(at: now, hasOutputs: hasOutputs) } }
    core.take { $0.take { $0.endTold() } }
    // What an earlier process has begun.
    if let reason = core.recording?.progress?.shutdown { core.shutDown(reason) }
    return false
  }

  /// Whether something has an output, or is up, that its pebble can tear down.
  private var hasOutputs: Bool {
    core.program.options.contains { pebble, options in
      options.teardown != nil && storage.hasOpened(Int(pebble))
    }
  }

  /// - Returns: That the run goes on.
  private mutating func resume() -> Bool {
    core.take { $0.take { $0.resumed() } }
    crew.resume()
    queue.append(decisions.ready[...])
    core.summonSpare(isUrgent: true)
    decisions.ready.removeAll(keepingCapacity: true)
    return true
  }

  /// Waits, in a run that is at rest but for pebbles that wait for what late bodies hold or for a
  /// thread, until one of these can start, or the run has no more patience with any of them.
  ///
  /// - Returns: Those that still hold something; `nil` if no pebble waits for them.
  private func lateHolders() async -> [Int]? {
    guard let queue = queue.ordered else { return nil }
    while !core.isCancelled {
      // Before the queue is looked at, so that what comes meanwhile is seen, or is the change.
      let change = life.read { $0.change }
      guard queue.waitingCount > 0, queue.admissibleCount == 0 else { break }
      let services = queue.awaitedServices
      let holders = life.read { life in
        let down = services.map { (pebble: $0, lastMoment: life.staysDown($0) ? 0 : UInt64.max) }
        return life.holders + down
      }
      let patience = queue.waitsForThread ? UInt64.max : holders.map(\.lastMoment).max() ?? 0
      let last = min(patience, core.options.deadline ?? .max)
      if last <= clock.now() {
        guard queue.waitsForThread else { return holders.map(\.pebble) }
        waitsNoLonger()
      } else {
        _ = await core.waits(for: change, until: last)
        if core.isDeadlinePassed(at: clock.now()) { waitsNoLonger() }
      }
    }
    return core.isCancelled || queue.waitingCount == 0 ? nil : []
  }

  /// The deadline has passed while pebbles wait. What undoes something is called all the same.
  private func waitsNoLonger() {
    guard let deadline = core.options.deadline else { return }
    if core.options.purpose.isTeardown {
      queue.ordered?.wantNoThreads(admitsAll: true)
    } else {
      core.cancel(.deadlinePassed, at: deadline)
    }
  }

  /// Skips the pebbles that wait for what late bodies hold and may never give back.
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

  /// Settles what waits in a run at rest, see `ReadinessState.settleAtRest`.
  ///
  /// - Returns: Whether something became ready; otherwise every pebble has settled.
  private mutating func settleRemaining(at now: UInt64) -> Bool {
    while true {
      let isCancelled = core.isCancelled
      // In a cancelled run whatever the count says: that of a runner whose body was given up is not
      // in it yet.
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

  /// Tells of what was settled at rest, and counts it.
  private mutating func noteSettled(at now: UInt64) {
    RunObservation(core).noteStall(decisions, at: now)
    RunObservation(core).noteDecisions(&decisions, at: now)
    core.noteSettled(decisions.settledCount)
    decisions.settledCount = 0
  }
}
