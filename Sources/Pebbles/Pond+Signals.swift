extension Pond {
  /// Runs the pond, waits for a signal, and shuts the run down: the whole life of a service.
  ///
  /// ```swift
  /// let report = try await pond.run(untilSignal: [.terminate, .interrupt])
  /// print(report)
  /// exit(report.exitCode)
  /// ```
  ///
  /// A signal during the boot cancels it, which is an orderly end: what had come up by then is torn
  /// down, and the exit code is 0. So it is after a signal that comes later, after a service has
  /// ended whose end means a shutdown, and when the calling task is cancelled; see
  /// ``Run/shutdown(within:)``. A run that is cancelled for another reason, such as its
  /// ``FailurePolicy``, does not wait for a signal. A second signal ends the process at once. No
  /// signal is lost from the moment this is called.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - values: What it is given.
  ///   - targets: What the run is of, and all that this needs, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``; if `nil`, everything.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the boot takes at the latest, from its start.
  ///   - shutdownLimit: How long the shutdown takes at the latest, from the signal or what else
  ///     asks for it on.
  /// - Returns: What happened in the boot; what came of the shutdown is in ``Report/shutdown``.
  /// - Throws: ``PondError`` if the pond is defined wrongly, runs itself, or cannot wait for these
  ///   signals, or if what the run is of is nothing, or no pebble of the pond; nothing was started
  ///   then.
  public func run(
    untilSignal signals: [Signal], given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    shutdownWithin shutdownLimit: Duration? = nil
  ) async throws(PondError) -> Report {
    try await run(
      untilSignal: signals, recording: nil, given: values, only: targets, clock: clock,
      within: limit, shutdownWithin: shutdownLimit)
  }

  /// The same for a run that is kept beyond its process.
  package func run(
    untilSignal signals: [Signal], recording: RunRecording?, given values: [GivenValue],
    only targets: [any PebbleIdentifying]?, clock: some Clock<Duration>, within limit: Duration?,
    shutdownWithin shutdownLimit: Duration?
  ) async throws(PondError) -> Report {
    let core = try core(
      signals, values, targets, clock, limit, shutdownLimit, eventHistory: 0, recording)
    // Nobody can wait for it yet, so this fails for nobody.
    let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    return await withTaskCancellationHandler {
      core.start()
      return await Run(core).shutDownInTheEnd()
    } onCancel: {
      core.leave()
    }
  }

  /// Starts the pond and returns at once; the run is shut down on a signal.
  ///
  /// ```swift
  /// let run = try pond.start(untilSignal: [.terminate, .interrupt])
  /// Task { for await event in run.events { logger.info("\(event)") } }
  /// let report = try await run.reportAfterShutdown()
  /// exit(report.exitCode)
  /// ```
  ///
  /// What ends the run is as in ``run(untilSignal:given:only:clock:within:shutdownWithin:)``; only
  /// that there is no calling task to cancel.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - values: What it is given.
  ///   - targets: What the run is of, and all that this needs, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``; if `nil`, everything.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the boot takes at the latest, from its start.
  ///   - shutdownLimit: How long the shutdown takes at the latest.
  ///   - eventHistory: How many of its newest events the run keeps for observers that come later.
  /// - Returns: The run under way.
  /// - Throws: ``PondError`` if the pond is defined wrongly, runs itself, or cannot wait for these
  ///   signals, or if what the run is of is nothing, or no pebble of the pond; nothing was started
  ///   then.
  public func start(
    untilSignal signals: [Signal], given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    shutdownWithin shutdownLimit: Duration? = nil, eventHistory: Int = 0
  ) throws(PondError) -> Run {
    let core = try core(
      signals, values, targets, clock, limit, shutdownLimit, eventHistory: eventHistory)
    core.start()
    return Run(core)
  }

  static func faults(ofShutdownWithin limit: Duration?) -> [PondError.Fault] {
    guard let limit, limit <= .zero else { return [] }
    return [
      .invalidShutdown(
        problem: "is to be shut down within \(limit); it must be longer than zero")
    ]
  }

  private func core(
    _ signals: [Signal], _ values: [GivenValue], _ targets: [any PebbleIdentifying]?,
    _ clock: some Clock<Duration>, _ limit: Duration?, _ shutdownLimit: Duration?,
    eventHistory: Int, _ recording: RunRecording? = nil
  ) throws(PondError) -> RunCore {
    var faults = Signal.faults(in: signals).map {
      PondError.Fault.invalidSignals(problem: "cannot wait for signals: \($0)")
    }
    faults += Self.faults(ofShutdownWithin: shutdownLimit)
    let core = try core(
      given: values, only: targets, clock, limit, nil, eventHistory, faults: faults,
      recording: recording)
    // Whatever the reason for the shutdown will be.
    if let shutdownLimit { core.take { $0.take { $0.shutdownLimited(to: shutdownLimit) } } }
    do {
      core.keep(try core.shutDown(on: signals))
    } catch {
      let problem = "cannot wait for signals: \(error)"
      throw PondError(pondName: name, faults: [.invalidSignals(problem: problem)])
    }
    return core
  }
}
