extension RunCore {
  /// Has the run torn down, and those of its line, the newest first: cancels it first if it is
  /// still going on. Returns at once.
  ///
  /// - Parameters:
  ///   - reason: What a run that is still going on is cancelled for.
  ///   - limit: How long that may take from now on.
  func shutDown(_ reason: RunCancellation, within limit: Duration? = nil) {
    let line = held.withLock { held in
      held.shutdownReason = reason
      return held.line
    }
    guard let line else { return shutDownAlone(reason, within: limit) }
    // Those whose turn is still to come begin with what is left of it then.
    if let limit { for run in line.runs { run.limitShutdown(to: limit) } }
    line.shutdownAsked(for: reason)?.shutDownAlone(reason, within: limit)
    for run in line.runs { SelfAwaitingRuns.recheck(run) }
  }

  func shutDownAlone(_ reason: RunCancellation, within limit: Duration?) {
    // Out here, because the clock is the user's.
    let now = clock.now()
    take { life in
      life.take { life in
        if let limit { life.shutdownLimited(to: limit) }
        return life.shutdownRequested(reason, at: now)
      }
    }
    SelfAwaitingRuns.recheck(self)
  }

  /// Has the run torn down on the first of these signals.
  ///
  /// - Returns: What watches for them, for as long as it lives.
  /// - Throws: Why it cannot.
  func shutDown(on signals: [Signal]) throws(SignalWatchError) -> SignalWatch {
    try SignalWatch(signals) { [self] signal in
      // Cancelling calls code of the user, which must not hold up other signals.
      Task { shutDown(.signal(signal)) }
    }
  }

  /// Waits until the run has been torn down, which must have been asked for, or until that has
  /// taken as long as it may.
  func shutdownReport() async -> ShutdownReport {
    await life.shutdown.value()
    return shutdownSoFar
  }

  /// What has come of tearing the run down: of one that is still at it, that its pebbles go on.
  var shutdownSoFar: ShutdownReport {
    if let shutdown = storage.shutdown { return shutdown }
    let (services, limit) = life.read { ($0.runningServices, $0.run.shutdownDeadline?.limit) }
    let running = program.pond.graph.names.indices.filter {
      switch storage.state.status(of: $0) {
      case .running: true
      case .succeeded: services.contains($0)
      default: storage.isLeftBehind($0)
      }
    }
    return ShutdownReport(
      storage, goingOn: running, within: limit ?? clock.now().asNanoseconds)
  }

  /// Tears the run down in a task of its own: to cancel a caller must not cancel that.
  func startTeardown(_ reason: RunCancellation?, by deadline: RunLifecycle.ShutdownDeadline?) {
    makeTask { [self] in
      let now = clock.now()
      if let reason { recording?.journal.shutdownBegan(reason, at: now) }
      note(.shutdownBegan(reason), at: now)
      await partIsTornDown(by: deadline?.time)
      let shutdown = Shutdown(self, deadline, at: now)
      let report = await shutdown.tearDown()
      await shutdown.lateOutputsAreUndone()
      note(.shutdownEnded, at: clock.now())
      let leftBehind = ShutdownReport(
        storage, goingOn: program.pond.graph.names.indices.filter(storage.isLeftBehind),
        within: deadline?.limit ?? .zero)
      take { life in
        // In one step: who finds the report finds the run to be torn down.
        storage.tornDown(report.adding(leftBehind: leftBehind))
        life.take { $0.tornDown() }
      }
    }
  }
}
