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
  /// A run that is started inside of a body belongs to that attempt from its first moment,
  /// whatever its pond looks like, however deep it lies, and whether the body waits for it or not.
  /// What is up of it is shut down with what started it: when the attempt has failed or was given
  /// up, as soon as its body has ended and before that is called again; otherwise in the shutdown
  /// of the run around, at the place of its pebble, and of a service after that has ended; at once,
  /// if it is started later. A run that is `detached` belongs to nobody.
  ///
  /// A run may be of some pebbles only: then it is of these and of all that they need, which
  /// ``subset(for:)`` tells, and what is in it ends as it would in a run of everything. The others
  /// are skipped as ``SkipReason/notAskedFor``; whether they are enabled is not asked. The goal of
  /// the pond is asked for only if all that it mentions is in. A failure whose handler is left out
  /// is not handled.
  ///
  /// A run is given values, which pebbles read as they do outputs: see ``given(_:_:)``.
  ///
  /// To shut a run down whose pebbles have teardowns or are services, use
  /// ``start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)``.
  ///
  /// - Parameters:
  ///   - values: What it is given.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the run takes at the latest, from its start.
  ///     Then it is cancelled, and a body that ignores this fails with ``PebbleTimeout`` all the
  ///     same.
  ///   - report: An earlier run: of the pebbles that are ready, those start first, within one
  ///     priority, from which the longest path leads on.
  ///   - grant: Permission to go on in the background, held while the run lasts. If it expires, the
  ///     run is cancelled.
  ///   - detached: Whether the run, if it is started inside of a body, is to outlive it: one for a
  ///     request that a server answers, say.
  /// - Returns: What happened.
  /// - Throws: ``PondError`` if the pond is defined wrongly, or runs itself; if what the run is of
  ///   is nothing, or no pebble of the pond; or if it is not given each value that it needs, once.
  ///   Nothing was started then.
  /// - Complexity: O(pebbles + atoms), whatever the conditions look like; each stall on the way
  ///   costs as much again for what is still waiting.
  public func run(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    within limit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, detached: Bool = false
  ) async throws(PondError) -> Report {
    let core = try core(
      given: values, only: targets, clock, limit, report, 0, isAwaited: true,
      isDetached: detached)
    // Nobody can wait for it yet, so this fails for nobody.
    let waiter = try SelfAwaitingRuns.begin(.end, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    // Started inside, so that nothing is if the task has been cancelled before.
    return await withTaskCancellationHandler {
      core.start(holding: grant)
      return await Run(core).ended()
    } onCancel: {
      core.cancel(.requested)
    }
  }

  /// Runs the pond, keeps the run beyond its process, and tears down at its end what it has opened.
  package func run(
    recording: RunRecording, given values: [GivenValue], only targets: [any PebbleIdentifying]?,
    clock: some Clock<Duration>, within limit: Duration?, shutdownWithin shutdownLimit: Duration?,
    learningFrom report: Report?, holding grant: (any BackgroundGrant)?, detached: Bool
  ) async throws(PondError) -> Report {
    let core = try core(
      given: values, only: targets, clock, limit, report, 0,
      faults: Self.faults(ofShutdownWithin: shutdownLimit), isDetached: detached,
      recording: recording)
    // Whatever the reason for the shutdown will be.
    if let shutdownLimit { core.take { $0.take { $0.shutdownLimited(to: shutdownLimit) } } }
    // Nobody can wait for it yet, so this fails for nobody.
    let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    return await withTaskCancellationHandler {
      core.start(holding: grant)
      _ = await Run(core).ended()
      core.shutDown(.shutdown)
      return await Run(core).shutDownInTheEnd()
    } onCancel: {
      core.leave()
    }
  }

  /// Starts the pond and returns at once.
  ///
  /// Bodies inherit the priority and the task-local values of the caller, as with `Task.init`.
  ///
  /// - Parameters:
  ///   - values: What it is given.
  ///   - targets: What the run is of, and all that this needs, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``; if `nil`, everything.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the run takes at the latest, from its start; as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``.
  ///   - report: An earlier run, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``.
  ///   - grant: Permission to go on in the background, held while the run lasts.
  ///   - eventHistory: How many of its newest events the run keeps for observers that come later.
  ///   - detached: Whether the run, if it is started inside of a body, is to outlive it, as in
  ///     ``run(given:only:clock:within:learningFrom:holding:detached:)``.
  /// - Returns: The run under way.
  /// - Throws: ``PondError`` if the pond is defined wrongly, or runs itself; if what the run is of
  ///   is nothing, or no pebble of the pond; or if it is not given each value that it needs, once.
  ///   Nothing was started then.
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

  /// The same for a run that is kept beyond its process.
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
    _ limit: Duration?, _ report: Report?, _ eventHistory: Int, faults: [PondError.Fault] = [],
    isAwaited: Bool = false, isDetached: Bool = false, recording: RunRecording? = nil
  ) throws(PondError) -> RunCore {
    let program = self.program()
    var options = try RunOptions(
      given: values, only: targets, within: limit, learningFrom: report, eventHistory: eventHistory,
      faults: faults, of: program)
    options.isAwaited = isAwaited
    options.isDetached = isDetached
    options.recording = recording
    try program.checkThatItDoesNotRunItself()
    let elapsed = recording?.progress?.elapsed ?? 0
    return RunCore(program, RunClock(clock).startedEarlier(by: elapsed), options)
  }
}

extension Program {
  /// - Throws: ``PondError`` inside of a body of a run of the same pond that goes on.
  func checkThatItDoesNotRunItself() throws(PondError) {
    let graph = pond.graph
    let isInside = EnclosingBody.isAnyAround { parent in
      !parent.core.life.isOver
        && parent.core.program.pond.graph.definition === graph.definition
    }
    if isInside { throw PondError(pondName: graph.pondName, faults: [.runsItself]) }
  }
}
