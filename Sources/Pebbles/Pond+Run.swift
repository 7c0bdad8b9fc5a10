extension Pond {
  /// Runs the pond and waits for its end.
  ///
  /// Starts every pebble whose condition holds, at the same time where it can, and ends when
  /// nothing is running and nothing more can start. A failing pebble is not an error of the run: it
  /// is in the report. Cancelling the calling task cancels the run, which still returns its report.
  ///
  /// Runs share no state: a pond may be run again, also while it runs.
  ///
  /// - Parameter clock: Tells the times in the report.
  /// - Returns: What happened.
  /// - Throws: ``PondError`` if the pond is defined wrongly; nothing was started then.
  /// - Complexity: O(pebbles + atoms), whatever the conditions look like; each stall on the way
  ///   costs as much again for what is still waiting.
  public func run(clock: some Clock<Duration> = ContinuousClock()) async throws(PondError) -> Report
  {
    let dispatcher = try dispatcher(clock)
    // Started inside, so that nothing is if the task has been cancelled before.
    return await withTaskCancellationHandler {
      dispatcher.start()
      return await Run(dispatcher).report
    } onCancel: {
      dispatcher.cancel()
    }
  }

  /// Starts the pond and returns at once.
  ///
  /// Bodies inherit the priority and the task-local values of the caller, as with `Task.init`.
  ///
  /// - Parameter clock: Tells the times in the report.
  /// - Returns: The run under way.
  /// - Throws: ``PondError`` if the pond is defined wrongly; nothing was started then.
  public func start(clock: some Clock<Duration> = ContinuousClock()) throws(PondError) -> Run {
    let dispatcher = try dispatcher(clock)
    dispatcher.start()
    return Run(dispatcher)
  }

  private func dispatcher(_ clock: some Clock<Duration>) throws(PondError) -> Dispatcher {
    let program = definition.program()
    guard program.pond.faults.isEmpty else {
      throw PondError(pondName: name, faults: program.pond.faults)
    }
    return Dispatcher(program, RunClock(clock))
  }
}
