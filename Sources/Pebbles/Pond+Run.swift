extension Pond {
  /// Runs the pond and waits for the end of the run.
  ///
  /// The run starts each pebble whose condition is true, in parallel where possible. It ends when
  /// nothing is running and nothing more can start. A failed pebble does not make this method
  /// throw; the failure is recorded in the report. Cancelling the calling task cancels the run,
  /// which still returns its report.
  ///
  /// A small run usually begins on the caller's thread, because the caller would otherwise only
  /// wait. If the caller is on an actor, it leaves the actor first.
  ///
  /// Runs share no state, so a pond can be run again even while it is running. A body can run
  /// another pond, for example to do work that becomes known only during the run. If the inner run
  /// ends before the pebble settles, its report is stored in ``PebbleRecord/nestedReports``.
  ///
  /// A run that is started inside a body belongs to the current attempt of that body. This applies
  /// to runs of any pond, at any depth, whether or not the body waits for them. Such a run is shut
  /// down together with the attempt: its services are stopped and its teardowns are called. If the
  /// attempt has failed or was abandoned, this happens as soon as the body has ended, and before
  /// the body is called again. Otherwise, it happens during the shutdown of the outer run, when the
  /// pebble is torn down. If the pebble is a service, it happens after the service has ended. A run
  /// that is started inside the body after this point is shut down at once. A `detached` run
  /// belongs to no attempt.
  ///
  /// A run can be limited to certain pebbles. It then consists of these pebbles and everything they
  /// need, as listed by ``subset(for:)``, and each of them ends as it would in a full run. The
  /// other pebbles are skipped as ``SkipReason/notAskedFor``, and their ``PebbleTrait/enabled(_:)``
  /// closures are not called. The goal of the pond counts only if the run includes everything that
  /// the goal mentions. A failure whose handler is left out is unhandled.
  ///
  /// A run can be given values, which pebbles read in the same way as outputs; see ``given(_:_:)``.
  ///
  /// To shut down a run whose pebbles have teardowns or are services, start it with
  /// ``start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)``.
  ///
  /// - Parameters:
  ///   - values: The values to give to the run.
  ///   - targets: The pebbles to run, together with everything they need; all pebbles if `nil`.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the run may take, from its start. After this time, the run is
  ///     cancelled, and a body that ignores the cancellation fails with ``PebbleTimeout``.
  ///   - report: The report of an earlier run. It determines the order in which ready pebbles
  ///     start: among pebbles with the same priority, those with the longest path ahead of them
  ///     start first.
  ///   - grant: Permission to run in the background, held while the run lasts. If the permission
  ///     expires, the run is cancelled.
  ///   - detached: Whether a run started in a body outlives that body. Pass `true`, for example,
  ///     for a run that answers a request to a server.
  /// - Returns: The report of the run.
  /// - Throws: ``PondError`` if the pond is defined incorrectly or runs itself, or if `limit` is
  ///   not positive. The error is also thrown if `targets` is empty or names a pebble that the pond
  ///   does not have, if a required value is missing, or if a value is given more than once or for
  ///   a pebble that takes no value. In all of these cases, nothing was started.
  /// - Complexity: O(pebbles + atoms), regardless of the shape of the conditions. Each stall during
  ///   the run adds the same cost, but only for the pebbles that are still waiting. If limits,
  ///   priorities or `report` determine the order, each pebble adds O(log pebbles), and so does
  ///   each resource that a pebble uses.
  public func run(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    within limit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, detached: Bool = false
  ) async throws(PondError) -> Report {
    let core = try core(
      given: values, only: targets, clock, limit, report, 0, isAwaited: true,
      isDetached: detached)
    // This call never throws, because nothing waits for the new run yet.
    let waiter = try SelfAwaitingRuns.begin(.end, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    // Started inside the handler: if the task has been cancelled before, nothing starts.
    return await withTaskCancellationHandler {
      core.start(holding: grant)
      return await Run(core).ended()
    } onCancel: {
      core.cancel(.requested)
    }
  }

  /// Runs the pond and then shuts down the run. The run is recorded, so that another process can
  /// continue it.
  package func run(
    recording: RunRecording, given values: [GivenValue], only targets: [any PebbleIdentifying]?,
    clock: some Clock<Duration>, within limit: Duration?, shutdownWithin shutdownLimit: Duration?,
    learningFrom report: Report?, holding grant: (any BackgroundGrant)?, detached: Bool
  ) async throws(PondError) -> Report {
    let core = try core(
      given: values, only: targets, clock, limit, report, 0, shutdownWithin: shutdownLimit,
      isDetached: detached, recording: recording)
    // This call never throws, because nothing waits for the new run yet.
    let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    return await withTaskCancellationHandler {
      core.start(holding: grant)
      _ = await Run(core).ended()
      core.shutDown(.shutdown)
      return await Run(core).reportAfterTeardown()
    } onCancel: {
      core.leave()
    }
  }

  /// Starts the pond and returns at once.
  ///
  /// Bodies inherit the priority and the task-local values of the caller, as with `Task.init`.
  ///
  /// - Parameters:
  ///   - values: The values to give to the run.
  ///   - targets: The pebbles to run, together with everything they need, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``; all pebbles if `nil`.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the run may take, from its start, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``.
  ///   - report: The report of an earlier run, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``.
  ///   - grant: Permission to run in the background, held while the run lasts.
  ///   - eventHistory: The number of recent events that the run keeps for later observers. It must
  ///     not be negative.
  ///   - detached: Whether a run started in a body outlives that body, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``.
  /// - Returns: The started run.
  /// - Throws: ``PondError`` if the pond is defined incorrectly or runs itself, if `limit` is not
  ///   positive, or if `eventHistory` is negative. The error is also thrown if `targets` is empty
  ///   or names a pebble that the pond does not have, if a required value is missing, or if a value
  ///   is given more than once or for a pebble that takes no value. In all of these cases, nothing
  ///   was started.
  public func start(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    within limit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, eventHistory: Int = 0, detached: Bool = false
  ) throws(PondError) -> Run {
    try start(
      recording: nil, given: values, only: targets, clock: clock, within: limit,
      learningFrom: report, holding: grant, eventHistory: eventHistory, detached: detached)
  }

  /// Starts the pond like the public overload, and records the run so that another process can
  /// continue it.
  package func start(
    recording: RunRecording?, given values: [GivenValue], only targets: [any PebbleIdentifying]?,
    clock: some Clock<Duration>, within limit: Duration?, learningFrom report: Report?,
    holding grant: (any BackgroundGrant)?, eventHistory: Int, detached: Bool
  ) throws(PondError) -> Run {
    let core = try core(
      given: values, only: targets, clock, limit, report, eventHistory, isDetached: detached,
      recording: recording)
    core.start(holding: grant)
    return Run(core)
  }

  func core(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    _ clock: some Clock<Duration>,
    _ limit: Duration?, _ report: Report?, _ eventHistory: Int,
    shutdownWithin shutdownLimit: Duration? = nil, faults: [PondError.Fault] = [],
    isAwaited: Bool = false, isDetached: Bool = false, recording: RunRecording? = nil
  ) throws(PondError) -> RunCore {
    let program = self.program()
    var options = try RunOptions(
      given: values, only: targets, within: limit, learningFrom: report, eventHistory: eventHistory,
      faults: faults + Self.faults(ofShutdownWithin: shutdownLimit), of: program)
    options.shutdownLimit = shutdownLimit
    options.isAwaited = isAwaited
    options.isDetached = isDetached
    options.recording = recording
    // A run that had ended in time is only continued to keep its services up.
    if recording?.progress?.hasEnded == true { options.deadline = nil }
    try program.checkThatItDoesNotRunItself()
    let elapsed = recording?.progress?.elapsed ?? 0
    let core = RunCore(program, RunClock(clock).startedEarlier(by: elapsed), options)
    core.restoreEnd()
    return core
  }
}

extension Program {
  /// Checks that the pond is not about to run inside one of its own runs.
  ///
  /// - Throws: ``PondError`` if the caller is inside a body of an unfinished run of the same pond.
  func checkThatItDoesNotRunItself() throws(PondError) {
    let graph = pond.graph
    let isInside = EnclosingBody.isAnyAround { parent in
      !parent.core.life.isOver
        && parent.core.program.pond.graph.definition === graph.definition
    }
    if isInside { throw PondError(pondName: graph.pondName, faults: [.runsItself]) }
  }
}
