extension RunCore {
  /// Begins to tear down this run and the other runs of its chain, the newest first. Cancels the
  /// runs that have not ended. Returns immediately.
  ///
  /// - Parameters:
  ///   - reason: The reason for cancelling runs that have not ended.
  ///   - limit: The maximum duration of the shutdown, counted from now; `nil` for no limit.
  func shutDown(_ reason: RunCancellation, within limit: Duration? = nil) {
    let chain = held.withLock { held in
      held.shutdownReason = reason
      return held.chain
    }
    guard let chain else { return shutDownAlone(reason, within: limit) }
    // The runs that are torn down after the first one get the time that is left by then.
    if let limit { for run in chain.runs { run.limitShutdown(to: limit) } }
    chain.shutdownAsked(for: reason)?.shutDownAlone(reason, within: limit)
    for run in chain.runs { SelfAwaitingRuns.recheck(run) }
  }

  func shutDownAlone(_ reason: RunCancellation, within limit: Duration?) {
    // The clock is user code, so it is read outside of the lock.
    let now = clock.now()
    take { life in
      life.take { life in
        if let limit { life.shutdownLimited(to: limit) }
        return life.shutdownRequested(reason, at: now)
      }
    }
    SelfAwaitingRuns.recheck(self)
  }

  /// Waits until a requested shutdown is over or has timed out, and returns its report.
  func shutdownReport() async -> ShutdownReport {
    await life.shutdown.value()
    return shutdownSoFar
  }

  /// The shutdown report. Until the shutdown is over, it lists the pebbles that are still running.
  var shutdownSoFar: ShutdownReport {
    if let shutdown = storage.shutdown { return shutdown }
    let (services, limit) = life.read { ($0.runningServices, $0.run.shutdownDeadline?.limit) }
    let running = program.pond.graph.names.indices.filter {
      switch storage.state.status(of: $0) {
      case .running: true
      case .succeeded where services.contains($0): true
      default: storage.isLeftBehind($0)
      }
    }
    // A cancelled run with nothing to tear down ends without a teardown.
    let time = isTornDown ? .zero : limit ?? clock.now().asNanoseconds
    return ShutdownReport(storage, stillRunning: running, within: time)
  }

  /// Starts to tear down the run in a separate task, so that cancelling a caller does not cancel
  /// the teardown.
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
        storage, stillRunning: program.pond.graph.names.indices.filter(storage.isLeftBehind),
        within: deadline?.limit ?? .zero)
      let whole = report.ofShutdown(reason, startedAt: now, leftBehind: leftBehind)
      await keepUnended(of: whole)
      take { life in
        // Both are done under one lock, so that a caller who finds the report also finds the run
        // torn down.
        storage.tornDown(whole)
        life.take { $0.tornDown() }
      }
    }
  }
}
