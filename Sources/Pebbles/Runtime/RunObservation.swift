/// A reporter that passes the events of a run to its observers and its failure policy.
struct RunObservation {
  private let core: RunCore

  init(_ core: RunCore) {
    self.core = core
  }

  /// Reports the pebbles that are ready, or have already settled, when the run begins.
  func noteBeginning(_ decisions: inout Decisions, knowing known: KnownOutcomes) {
    guard core.isObserved else { return }
    if !core.queue.needsInitial, core.events.hasObservers {
      let initial = core.program.pond.network.initiallyReady
      for place in 0..<initial.count { core.note(.ready(core.name(Int(initial[place]))), at: 0) }
    }
    for success in known.succeeded {
      let pebble = Int(success.pebble)
      let cases = core.program.pond.graph.cases[pebble]?[success.cases] ?? []
      note(.succeeded, cases, of: pebble, at: 0)
    }
    noteDecisions(&decisions, at: 0)
  }

  /// Reports that a runner is about to call a body and await it inline.
  func noteStart(of pebble: Int, at time: UInt64) {
    core.note(.attemptStarted(core.name(pebble), attempt: 1), at: time)
  }

  /// Reports that a pebble is about to settle. Call this method before the pebble settles, because
  /// other runners could otherwise report the consequences first.
  func noteEnd(of pebble: Int, succeeded: Bool, cases: CaseSet, at time: UInt64) {
    guard core.events.hasObservers else { return }
    var outcome = Outcome.succeeded
    if !succeeded {
      let error = core.storage.values.failure(at: pebble)
      if !core.needsAttempts(pebble) {
        core.note(.attemptFailed(core.name(pebble), attempt: 1, error), at: time)
      }
      outcome = .failed(error)
    }
    let held = core.program.pond.graph.cases[pebble]?[cases] ?? []
    note(outcome, held, of: pebble, at: time)
  }

  /// Records that a pebble's body failed because the run was cancelled, even if the body ignored
  /// the cancellation until it timed out. Records nothing if the run abandoned the body.
  func noteCancelled(_ pebble: Int) {
    let error = core.storage.values.failure(at: pebble)
    // A body may rethrow the timeout of another run, which did not abandon it.
    if let timeout = error as? PebbleTimeout, timeout.run == core.identifier,
      timeout.isLimitOfRun || timeout.isLimitOfShutdown
    {
      return
    }
    if error as? ServiceError == .didNotStop { return }
    core.storage.bodyWasCancelled(at: pebble)
  }

  /// Reports the consequences of a pebble's end, and applies the failure policy. Call this method
  /// only after the consequences have been decided.
  func pebbleFinished(
    _ pebble: Int, succeeded: Bool, _ decisions: inout Decisions, at time: UInt64
  ) {
    noteDecisions(&decisions, at: time)
    guard !succeeded, core.failures.isActive else { return }
    let isCancelling = core.failures.pebbleFailed(
      pebble, core.storage, known: core.recording?.progress?.decisions[pebble]
    ) { core.recording?.journal.policyDecided(pebble, $0) }
    if isCancelling { core.cancel(.failure(of: core.name(pebble)), at: time) }
  }

  /// Reports a step that an earlier process recorded and this process has replayed.
  func noteReplayed(_ step: RunProgress.Step, _ decisions: inout Decisions) {
    guard core.isObserved else { return }
    guard case .ended(let end) = step else { return noteDecisions(&decisions, at: step.time) }
    note(
      end.error.map(Outcome.failed) ?? .succeeded,
      core.program.pond.graph.cases[end.pebble]?[end.cases] ?? [], of: end.pebble, at: end.finished)
    pebbleFinished(end.pebble, succeeded: end.succeeded, &decisions, at: end.finished)
  }

  /// Reports the pebbles that became ready or were skipped. Cancels the run if a failure is now
  /// unhandled and the failure policy therefore requires a cancellation.
  func noteDecisions(_ decisions: inout Decisions, at time: UInt64) {
    if core.failures.isActive,
      let failed = core.failures.pebblesSkipped(decisions.skipped, core.storage)
    {
      core.cancel(.failure(of: core.name(failed)), at: time)
    }
    for pebble in decisions.skipped { noteOutcome(of: Int(pebble)) }
    decisions.skipped.removeAll(keepingCapacity: true)
    guard core.events.hasObservers else { return }
    for pebble in decisions.ready {
      core.note(.ready(core.name(Int(pebble))), at: core.storage.state.readyTime(of: Int(pebble)))
    }
  }

  /// Reports up to a hundred pebbles that were skipped because they waited for each other.
  func noteStall(_ decisions: Decisions, at time: UInt64) {
    guard core.events.hasObservers else { return }
    let stalled = decisions.skipped.map(Int.init)
      .filter { core.storage.state.status(of: $0) == .skippedByStall }
    if !stalled.isEmpty { core.note(.stalled(stalled.prefix(100).map(core.name)), at: time) }
  }

  private func noteOutcome(of pebble: Int) {
    guard core.events.hasObservers, let outcome = core.storage.values.outcome(at: pebble)
    else { return }
    note(outcome, [], of: pebble, at: core.storage.state.finishTime(of: pebble))
  }

  private func note(
    _ outcome: Outcome, _ cases: [PebbleCase], of pebble: Int, at time: UInt64
  ) {
    let cause = core.storage.state.cause(of: pebble).map(core.name)
    core.note(.settled(core.name(pebble), outcome, cases: cases, cause: cause), at: time)
  }
}
