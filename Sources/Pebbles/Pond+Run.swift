extension Pond {
  /// Runs the pond and waits for its end.
  ///
  /// Starts every pebble whose condition holds, at the same time where it can, and ends when
  /// nothing is running and nothing more can start. A failing pebble is not an error of the run: it
  /// is in the report. Cancelling the calling task cancels the run, which still returns its report.
  ///
  /// A small run begins on the thread of the caller, which would only wait; actors are left before.
  ///
  /// Runs share no state: a pond may be run again, also while it runs. Inside of a body, another
  /// pond may be run for work that is known only then; its report is kept with the pebble, in
  /// ``PebbleRecord/nestedReports``.
  ///
  /// A pond that is run inside of a body and has something to shut down, such as services, is shut
  /// down with the run around it.
  ///
  /// To shut a run down whose pebbles have teardowns or are services, use
  /// ``start(clock:within:learningFrom:holding:eventHistory:)``.
  ///
  /// - Parameters:
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the run takes at the latest, from its start.
  ///     Then it is cancelled, and a body that ignores this fails with ``PebbleTimeout`` all the
  ///     same.
  ///   - report: An earlier run: of the pebbles that are ready, those start first, within one
  ///     priority, from which the longest path leads on.
  ///   - grant: Permission to go on in the background, held while the run lasts. If it expires, the
  ///     run is cancelled.
  /// - Returns: What happened.
  /// - Throws: ``PondError`` if the pond is defined wrongly, or runs itself; nothing was started
  ///   then.
  /// - Complexity: O(pebbles + atoms), whatever the conditions look like; each stall on the way
  ///   costs as much again for what is still waiting.
  public func run(
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    learningFrom report: Report? = nil, holding grant: (any BackgroundGrant)? = nil
  ) async throws(PondError) -> Report {
    let core = try core(clock, limit, report, 0, isAwaited: true)
    // Started inside, so that nothing is if the task has been cancelled before.
    return await withTaskCancellationHandler {
      core.start(holding: grant)
      return await Run(core).ended()
    } onCancel: {
      core.cancel(.requested)
    }
  }

  /// Starts the pond and returns at once.
  ///
  /// Bodies inherit the priority and the task-local values of the caller, as with `Task.init`.
  ///
  /// - Parameters:
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the run takes at the latest, from its start; as in
  ///     ``run(clock:within:learningFrom:holding:)``.
  ///   - report: An earlier run, as in ``run(clock:within:learningFrom:holding:)``.
  ///   - grant: Permission to go on in the background, held while the run lasts.
  ///   - eventHistory: How many of its newest events the run keeps for observers that come later.
  /// - Returns: The run under way.
  /// - Throws: ``PondError`` if the pond is defined wrongly, or runs itself; nothing was started
  ///   then.
  public func start(
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    learningFrom report: Report? = nil, holding grant: (any BackgroundGrant)? = nil,
    eventHistory: Int = 0
  ) throws(PondError) -> Run {
    let core = try core(clock, limit, report, eventHistory)
    core.start(holding: grant)
    return Run(core)
  }

  func core(
    _ clock: some Clock<Duration>, _ limit: Duration?, _ report: Report?, _ eventHistory: Int,
    faults: [PondError.Fault] = [], isAwaited: Bool = false
  ) throws(PondError) -> RunCore {
    let program = self.program()
    var options = try RunOptions(
      within: limit, learningFrom: report, eventHistory: eventHistory, faults: faults,
      of: program)
    options.isAwaited = isAwaited
    let isInside = EnclosingBody.isAnyAround { parent in
      !parent.core.life.isOver
        && parent.core.program.pond.graph.definition === definition
    }
    if isInside {
      throw PondError(pondName: name, faults: [.runsItself])
    }
    return RunCore(program, RunClock(clock), options)
  }
}
