/// What is told to observers and to the failure policy.
extension Runner {
  /// Tells who is ready or skipped from the start.
  mutating func noteBeginning() {
    guard core.isObserved else { return }
    if !queue.needsInitial, events.hasObservers {
      let initial = core.program.pond.network.initiallyReady
      for place in 0..<initial.count { core.note(.ready(core.name(Int(initial[place]))), at: 0) }
    }
    noteDecisions(at: 0)
  }

  /// A body that is simply awaited is about to be called.
  func noteStart(of pebble: Int, at time: UInt64) {
    core.note(.attemptStarted(core.name(pebble), attempt: 1), at: time)
  }

  /// A pebble is about to settle. Told before that can lead to anything, or what another runner
  /// starts because of it could be told first.
  func noteEnd(of pebble: Int, succeeded: Bool, at time: UInt64) {
    guard events.hasObservers else { return }
    var outcome = Outcome.succeeded
    if !succeeded {
      let error = storage.values.failure(at: pebble)
      if !core.needsAttempts(pebble) {
        core.note(.attemptFailed(core.name(pebble), attempt: 1, error), at: time)
      }
      outcome = .failed(error)
    }
    note(outcome, of: pebble, at: time)
  }

  /// The body of a pebble has failed in a cancelled run: because of that, but for one that was
  /// given up when its time was over.
  func noteCancelled(_ pebble: Int) {
    if !(storage.values.failure(at: pebble) is PebbleTimeout) {
      storage.bodyWasCancelled(at: pebble)
    }
  }

  /// A pebble has finished, and what follows from that has been decided.
  mutating func pebbleFinished(_ pebble: Int, succeeded: Bool, at time: UInt64) {
    noteDecisions(at: time)
    if !succeeded, core.failures.isActive, core.failures.pebbleFailed(pebble, storage) {
      core.cancel(.failure(of: core.name(pebble)), at: time)
    }
  }

  /// Tells who became ready and who was skipped, and cancels the run if that leaves a failure that
  /// its policy cancels for.
  mutating func noteDecisions(at time: UInt64) {
    if core.failures.isActive,
      let failed = core.failures.pebblesSkipped(decisions.skipped, storage)
    {
      core.cancel(.failure(of: core.name(failed)), at: time)
    }
    for pebble in decisions.skipped { noteOutcome(of: Int(pebble)) }
    decisions.skipped.removeAll(keepingCapacity: true)
    guard events.hasObservers else { return }
    for pebble in decisions.ready {
      core.note(.ready(core.name(Int(pebble))), at: state.readyTime(of: Int(pebble)))
    }
  }

  /// Tells who was skipped for waiting for each other; the first hundred.
  func noteStall(at time: UInt64) {
    guard events.hasObservers else { return }
    let stalled = decisions.skipped.map(Int.init)
      .filter { state.status(of: $0) == .skippedByStall }
    if !stalled.isEmpty { core.note(.stalled(stalled.prefix(100).map(core.name)), at: time) }
  }

  private func noteOutcome(of pebble: Int) {
    guard events.hasObservers, let outcome = storage.values.outcome(at: pebble) else { return }
    note(outcome, of: pebble, at: state.finishTime(of: pebble))
  }

  private func note(_ outcome: Outcome, of pebble: Int, at time: UInt64) {
    let cause = state.cause(of: pebble).map(core.name)
    core.note(.settled(core.name(pebble), outcome, cause: cause), at: time)
  }
}
