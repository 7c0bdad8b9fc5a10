extension Run {
  /// Starts a run that resumes from the point of failure, by repeating the unsuccessful pebbles and
  /// their dependents.
  ///
  /// ```swift
  /// var run = try pond.start()
  /// while try await !run.report.isGoalReached, await retryIsWanted() {
  ///   run = try await run.resumed()
  /// }
  /// ```
  ///
  /// A pebble is *kept* if it has succeeded, if the pebbles whose outputs it received are kept, and
  /// if the kept pebbles alone make its condition true. A kept pebble counts as succeeded from the
  /// start, with its output and its cases; its body is not called. Therefore, a fallback for a
  /// pebble that is tried again is not kept, and no kept pebble depends on a pebble that runs
  /// again. Everything else begins as in a new run: attempts are counted from one, `enabled`
  /// closures are called again, and a time limit applies from the new start.
  ///
  /// Everything that is up but not kept is torn down first, in the order of a shutdown. Everything
  /// that is kept stays up and still belongs to this run. If a kept service restarts or ends, this
  /// run records the event, and the new run observes it. A service is kept only if other pebbles
  /// are kept as well: the services that restart with it, and the pebbles in its
  /// ``PebbleTrait/stopsBefore(_:)`` traits. A pebble is not kept if it took the output of a
  /// service that has since been restarted. If a body of this run was abandoned but is still
  /// running, the new run does not call that body again until the earlier call has ended.
  ///
  /// Shutting down either run shuts down the new run and then this one, and returns one report for
  /// both. Cancelling the new run ends only the new run; this one can then be resumed again. The
  /// new run uses the current pebbles and conditions of the pond. After a shutdown of this run,
  /// some pebbles are not kept: services, pebbles with a teardown or with runs inside, and pebbles
  /// that received the output of one of these.
  ///
  /// - Parameters:
  ///   - values: The values to give to the new run; values that are not listed are the same as in
  ///     this run. A pebble that read a value is not kept if the value has changed, or cannot be
  ///     compared with the earlier one.
  ///   - targets: The pebbles to run, together with everything they need; everything else that is
  ///     up is torn down. If this is `nil`, the new run has the same targets as this run.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the new run may take, from its start.
  ///   - report: The report of an earlier run. It determines the order in which ready pebbles
  ///     start.
  ///   - grant: Permission to run in the background, held while the new run lasts.
  ///   - eventHistory: The number of recent events that the new run keeps for later observers. It
  ///     must not be negative.
  /// - Returns: The new run, which has a new identifier. The ``PebbleContext/idempotencyKey`` of
  ///   each pebble stays the same.
  /// - Throws: ``PondError`` if this run is still booting, is being shut down, or is being resumed
  ///   by another call. The error is also thrown if a run that resumed it has not ended, is being
  ///   shut down, or has something left to tear down. It is thrown as well if the caller is inside
  ///   something that would have to be stopped first: a service that is not kept, or a run started
  ///   by a pebble that is not kept. The error also reports faults of the new run, under the same
  ///   conditions as in
  ///   ``Pond/start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)``. In all
  ///   of these cases, nothing was started, and nothing was torn down unless this run was shut down
  ///   in the meantime.
  /// - Complexity: O(pebbles + atoms), not counting the bodies and teardowns that are called. Each
  ///   service that is not kept because of another pebble may add the same cost.
  public func resumed(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    within limit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, eventHistory: Int = 0
  ) async throws(PondError) -> Run {
    let program = core.program.latest
    var options = try RunOptions(
      given: values, only: targets, within: limit, learningFrom: report,
      eventHistory: eventHistory, resuming: core.options, of: program)
    try program.checkThatItDoesNotRunItself()
    let chain = try core.beginResumption()
    options.resumption = try await core.prepareResumption(
      in: chain, by: program, options)
    let run = RunCore(program, RunClock(clock), options)
    try run.joinChain()
    run.start(holding: grant)
    return Run(run)
  }
}
