/// What is told to observers and to the failure policy.
extension RunCore {
  /// Whether an observer or the failure policy wants to know what settles.
  var isObserved: Bool { failures.isActive || events.hasObservers }

  @inline(__always)
  func note(_ happening: @autoclosure () -> RunEvent.Happening, at time: UInt64) {
    events.publish(RunEvent(time: time.asNanoseconds, happening()))
  }

  /// Tells who is ready or skipped from the start.
  func noteBeginning(_ decisions: inout Decisions) {
    guard isObserved else { return }
    if !queue.needsInitial, events.hasObservers {
      let initial = program.pond.network.initiallyReady
      for place in 0..<initial.count { note(.ready(name(Int(initial[place]))), at: 0) }
    }
    noteDecisions(&decisions, at: 0)
  }

  /// A body that is simply awaited is about to be called.
  func noteStart(of pebble: Int, at time: UInt64) {
    note(.attemptStarted(name(pebble), attempt: 1), at: time)
  }

  /// A pebble is about to settle. Told before that can lead to anything, or what another runner
  /// starts because of it could be told first.
  func noteEnd(of pebble: Int, succeeded: Bool, at time: UInt64) {
    guard events.hasObservers else { return }
    var outcome = Outcome.succeeded
    if !succeeded {
      let error = storage.values.failure(at: pebble)
      if !needsAttempts(pebble) { note(.attemptFailed(name(pebble), attempt: 1, error), at: time) }
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
  func pebbleFinished(_ pebble: Int, succeeded: Bool, _ decisions: inout Decisions, at time: UInt64)
  {
    noteDecisions(&decisions, at: time)
    if !succeeded, failures.isActive, failures.pebbleFailed(pebble, storage) {
      cancel(.failure(of: name(pebble)), at: time)
    }
  }

  /// Tells who became ready and who was skipped, and cancels the run if that leaves a failure that
  /// its policy cancels for.
  func noteDecisions(_ decisions: inout Decisions, at time: UInt64) {
    if failures.isActive, let failed = failures.pebblesSkipped(decisions.skipped, storage) {
      cancel(.failure(of: name(failed)), at: time)
    }
    for pebble in decisions.skipped { noteOutcome(of: Int(pebble)) }
    decisions.skipped.removeAll(keepingCapacity: true)
    guard events.hasObservers else { return }
    for pebble in decisions.ready {
      note(.ready(name(Int(pebble))), at: storage.state.readyTime(of: Int(pebble)))
    }
  }

  /// Tells who was skipped for waiting for each other; the first hundred.
  func noteStall(_ decisions: Decisions, at time: UInt64) {
    guard events.hasObservers else { return }
    let stalled = decisions.skipped.lazy.map(Int.init)
      .filter { self.storage.state.status(of: $0) == .skippedByStall }
    if !stalled.isEmpty { note(.stalled(stalled.prefix(100).map(name)), at: time) }
  }

  private func noteOutcome(of pebble: Int) {
    guard events.hasObservers, let outcome = storage.values.outcome(at: pebble) else { return }
    note(outcome, of: pebble, at: storage.state.finishTime(of: pebble))
  }

  private func note(_ outcome: Outcome, of pebble: Int, at time: UInt64) {
    let cause = storage.state.cause(of: pebble).map(name)
    note(.settled(name(pebble), outcome, cause: cause), at: time)
  }
}

extension EnclosingBody {
  /// The pebble of a run that the asking task is inside of, directly or through runs inside of it;
  /// `nil` if it is inside of none.
  static func pebble(of run: RunIdentifier) -> Int? {
    var body = current
    while let enclosing = body {
      if enclosing.core.identifier == run { return enclosing.pebble }
      body = enclosing.core.parent
    }
    return nil
  }
}
