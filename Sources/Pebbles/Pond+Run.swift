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
  /// - Complexity: O(pebbles + atoms), whatever the conditions look like.
  public func run(clock: some Clock<Duration> = ContinuousClock()) async throws(PondError) -> Report
  {
    let run = try start(clock: clock)
    return await withTaskCancellationHandler {
      await run.report
    } onCancel: {
      run.cancel()
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
    let compiled = definition.compiled()
    guard compiled.faults.isEmpty else {
      throw PondError(pondName: name, faults: compiled.faults)
    }
    let dispatcher = Dispatcher(compiled, RunClock(clock))
    dispatcher.start()
    return Run(dispatcher)
  }
}
