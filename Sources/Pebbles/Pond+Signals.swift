extension Pond {
  /// Runs the pond, waits for a signal, and shuts the run down. This method covers the entire
  /// lifetime of a server process.
  ///
  /// ```swift
  /// let report = try await pond.run(untilSignal: [.terminate, .interrupt])
  /// print(report)
  /// exit(report.exitCode)
  /// ```
  ///
  /// A signal during the boot cancels the run. This is an orderly end: everything that succeeded
  /// before the signal is torn down, and the exit code is 0 unless something else went wrong. A
  /// later signal shuts the run down, as does cancelling the calling task. If a service ends
  /// without having been asked to stop, the run is shut down too, unless
  /// ``PebbleTrait/ending(_:)`` says otherwise. See ``Run/shutdown(within:)`` and
  /// ``Report/exitCode``.
  ///
  /// The run waits for a signal even if no service is up, whether the pond has no services or all
  /// of them have ended as ``ServiceEnding/mayEnd`` allows.
  ///
  /// A run that is cancelled for another reason, such as its ``FailurePolicy``, does not wait for a
  /// signal. If the boot fails, the exit code is 1. The run then waits for a signal only if a
  /// service is running or something can be torn down. A second signal ends the process at once.
  /// Every signal that arrives after the call has begun takes effect.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - values: The values to give to the run.
  ///   - targets: The pebbles to run, together with everything they need, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``; all pebbles if `nil`.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the boot may take, from the start of the run.
  ///   - shutdownLimit: The longest time that the shutdown may take, from the signal or other event
  ///     that causes it.
  /// - Returns: The report of the boot; the result of the shutdown is in ``Report/shutdown``.
  /// - Throws: ``PondError`` if the pond is defined incorrectly, if it runs itself, if it cannot
  ///   wait for these signals, or if a limit is not positive. The error is also thrown if `targets`
  ///   is empty or names a pebble that the pond does not have, if a required value is missing, or
  ///   if a value is given more than once or for a pebble that takes no value. In all of these
  ///   cases, nothing was started.
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

  /// Runs the pond until a signal arrives, like the public overload, and records the run so that
  /// another process can continue it.
  package func run(
    untilSignal signals: [Signal], recording: RunRecording?, given values: [GivenValue],
    only targets: [any PebbleIdentifying]?, clock: some Clock<Duration>, within limit: Duration?,
    shutdownWithin shutdownLimit: Duration?
  ) async throws(PondError) -> Report {
    let core = try core(
      signals, values, targets, clock, limit, shutdownLimit, eventHistory: 0, recording)
    // This call never throws, because nothing waits for the new run yet.
    let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    return await withTaskCancellationHandler {
      core.start()
      // After a failed boot with nothing to tear down, the run is shut down at once: a process that
      // waits for a signal would look to its supervisor as if it were at work.
      if await Run(core).ended().exitCode != 0, !core.life.read({ $0.run.isAnythingUp }) {
        core.shutDown(.shutdown)
      }
      return await Run(core).reportAfterTeardown()
    } onCancel: {
      core.leave()
    }
  }

  /// Starts the pond and returns at once; a signal shuts the run down later.
  ///
  /// ```swift
  /// let run = try pond.start(untilSignal: [.terminate, .interrupt], eventHistory: 1_000)
  /// Task { for await event in run.events { logger.info("\(event)") } }
  /// let report = try await run.reportAfterShutdown()
  /// exit(report.exitCode)
  /// ```
  ///
  /// The run ends for the same reasons as in
  /// ``run(untilSignal:given:only:clock:within:shutdownWithin:)``, except that there is no calling
  /// task to cancel. A run whose boot has failed always waits for a signal, because it can be
  /// resumed.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - values: The values to give to the run.
  ///   - targets: The pebbles to run, together with everything they need, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``; all pebbles if `nil`.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the boot may take, from the start of the run.
  ///   - shutdownLimit: The longest time that the shutdown may take.
  ///   - eventHistory: The number of recent events that the run keeps for later observers. It must
  ///     not be negative.
  /// - Returns: The started run.
  /// - Throws: ``PondError`` if the pond is defined incorrectly, if it runs itself, if it cannot
  ///   wait for these signals, if a limit is not positive, or if `eventHistory` is negative. The
  ///   error is also thrown if `targets` is empty or names a pebble that the pond does not have, if
  ///   a required value is missing, or if a value is given more than once or for a pebble that
  ///   takes no value. In all of these cases, nothing was started.
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
        problem: "has a shutdown limit of \(limit); it must be longer than zero")
    ]
  }

  private func core(
    _ signals: [Signal], _ values: [GivenValue], _ targets: [any PebbleIdentifying]?,
    _ clock: some Clock<Duration>, _ limit: Duration?, _ shutdownLimit: Duration?,
    eventHistory: Int, _ recording: RunRecording? = nil
  ) throws(PondError) -> RunCore {
    let faults = Signal.faults(in: signals).map {
      PondError.Fault.invalidSignals(problem: "cannot wait for signals: \($0)")
    }
    let core = try core(
      given: values, only: targets, clock, limit, nil, eventHistory,
      shutdownWithin: shutdownLimit, faults: faults, recording: recording)
    do {
      core.keep(try core.shutDown(on: signals))
    } catch {
      let problem = "cannot wait for signals: \(error)"
      throw PondError(pondName: name, faults: [.invalidSignals(problem: problem)])
    }
    return core
  }
}
