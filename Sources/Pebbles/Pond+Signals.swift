extension Pond {
  /// Runs the pond, waits for a signal, and shuts the run down: the whole life of a service.
  ///
  /// ```swift
  /// let report = try await pond.run(untilSignal: [.terminate, .interrupt])
  /// try report.check()
  /// ```
  ///
  /// A signal during the boot cancels it. What had come up by then is torn down, as it is after a
  /// signal that comes later, after a service has ended whose end means a shutdown, and when the
  /// calling task is cancelled; see ``Run/shutdown(deadline:)``. A run that is cancelled for
  /// another reason, such as its ``FailurePolicy``, does not wait for a signal. A second signal
  /// ends the process at once. No signal is lost from the moment this is called.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - deadline: How long after its start the boot ends at the latest: a span, not an instant.
  ///   - shutdownDeadline: How long after its start tearing down ends at the latest: a span, not an
  ///     instant.
  /// - Returns: What happened in the boot; what came of the shutdown is in ``Report/shutdown``.
  /// - Throws: ``PondError`` if the pond is defined wrongly, runs itself, or cannot wait for these
  ///   signals; nothing was started then.
  public func run(
    untilSignal signals: [Signal], clock: some Clock<Duration> = ContinuousClock(),
    deadline: Duration? = nil, shutdownDeadline: Duration? = nil
  ) async throws(PondError) -> Report {
    var faults = Signal.faults(in: signals).map {
      PondError.Fault.invalidSignals(problem: "cannot wait for signals: \($0)")
    }
    if let shutdownDeadline, shutdownDeadline <= .zero {
      let problem = "is to be shut down within \(shutdownDeadline); it must be longer than zero"
      faults.append(.invalidShutdown(problem: problem))
    }
    let core = try core(clock, deadline, nil, 0, faults: faults)
    // Whatever the reason for the shutdown will be.
    if let shutdownDeadline { core.life.take { $0.shutdownLimited(to: shutdownDeadline) } }
    let watch = try watch(signals, core)
    defer { watch.cancel() }
    return await withTaskCancellationHandler {
      core.start()
      let end = await core.life.end.value()
      // There may be nothing to tear down; that it was done is reported all the same.
      if end.cancellation != nil { core.shutDown(.requested) }
      _ = await core.shutdownReport()
      return core.report(at: end)
    } onCancel: {
      core.shutDown(.requested)
    }
  }

  private func watch(
    _ signals: [Signal], _ core: RunCore
  ) throws(PondError) -> SignalWatch {
    do {
      return try core.shutDown(on: signals)
    } catch {
      let problem = "cannot wait for signals: \(error)"
      throw PondError(pondName: name, faults: [.invalidSignals(problem: problem)])
    }
  }
}
