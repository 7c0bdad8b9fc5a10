/// One execution of a pond, started by
/// ``Pond/start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)``.
///
/// The run goes on whether or not the caller holds on to this.
public final class Run: Sendable {
  let core: RunCore

  /// Runs that this one resumes, as long as they have something up: who shuts this one down shuts
  /// them down too.
  private let earlier: [RunCore]

  init(_ core: RunCore) {
    self.core = core
    earlier = core.earlierRunsWithOpened
  }

  /// What the run has come to so far.
  package var storage: RunStorage { core.storage }

  /// Tells the runs of a process apart.
  public var identifier: RunIdentifier { core.identifier }

  /// Ends the run early: cancels the tasks of running bodies, starts nothing more, and skips what
  /// has not started with ``SkipReason/cancelled``.
  ///
  /// Cancellation is cooperative: the run ends when the running bodies have ended, and what had
  /// come up by then has been torn down. May be called at any time and from any thread; only the
  /// first call, before the end, has an effect.
  public func cancel() {
    core.cancel(.requested)
  }

  /// What happens in the run from now on, for an observer that takes it soon: up to 256 events
  /// wait.
  ///
  /// Each time this is read, and each iteration, is an observer of its own.
  public var events: RunEvents { events(bufferingNewest: 256) }

  /// What happens in the run from now on.
  ///
  /// - Parameter capacity: How many events wait at most for this observer; then the oldest are
  ///   dropped, and ``RunEvent/droppedCount`` says how many. Below 1 it counts as 1.
  /// - Returns: The events; first those of the history that the run was told to keep.
  public func events(bufferingNewest capacity: Int) -> RunEvents {
    core.events.subscribe(bufferingNewest: capacity) { [identifier] in
      EnclosingBody.pebble(of: identifier)
    }
  }

  /// What happened, once the run has ended.
  ///
  /// Cancelling the task that waits here does not cancel the run;
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` does that.
  ///
  /// - Throws: ``PondError`` if it is read inside of what the run cannot end before: one of its
  ///   bodies, a teardown of a cancelled run, or a body that one of these waits for. Also, once the
  ///   run around it is cancelled or shut down, inside of what it is shut down after: the body that
  ///   has started it, and the teardowns and services that come before that one's. There,
  ///   ``shutdown(within:)`` does not wait for its turn.
  public var report: Report {
    get async throws(PondError) {
      if core.life.end.fulfilled != nil { return await ended() }
      guard let waiter = try SelfAwaitingRuns.begin(.end, of: core) else { return await ended() }
      defer { SelfAwaitingRuns.end(waiter) }
      return core.report(at: try await waiter.value(of: core.life.end))
    }
  }

  /// Tears down what has come up: stops services and calls teardowns.
  ///
  /// What ran on the strength of something else is torn down before it: the order is the reverse of
  /// what really enabled what in this run, and what is independent is torn down at the same time. A
  /// run that is still going on is cancelled first. Each teardown is called once, for a pebble that
  /// succeeded, however often this is called, and from wherever; all callers wait for the same.
  ///
  /// Of runs that resume each other the newest is torn down first, then those before it.
  ///
  /// - Parameter limit: How long this takes at the latest, from the call on. Bodies that have not
  ///   ended after half of that are given up, lest nothing be left for what is torn down after
  ///   them; after all of it, if there is nothing to tear down. What has not been torn down by then
  ///   is torn down all the same, but not waited for, and is in ``ShutdownReport/failures``. Of
  ///   several calls, the one counts whose time ends first, if it comes before tearing down has
  ///   begun.
  /// - Returns: What was torn down, and how.
  /// - Throws: ``PondError`` if the limit is not longer than zero. Also if it is called inside of
  ///   what it would have to wait for: a body while the run goes on, a service, a teardown, or a
  ///   body that one of these waits for; the shutdown has begun then all the same.
  @discardableResult
  public func shutdown(within limit: Duration? = nil) async throws(PondError) -> ShutdownReport {
    if let limit, limit <= .zero {
      let fault = PondError.Fault.invalidShutdown(
        problem: "is to be shut down within \(limit); it must be longer than zero")
      throw PondError(pondName: core.program.pond.graph.pondName, faults: [fault])
    }
    core.shutDown(.shutdown, within: limit)
    var reports: [ShutdownReport] = []
    for run in core.line?.runs.reversed() ?? [core]
    where core.resumption?.tornDownBefore.contains(run.identifier) != true {
      reports.append(try await Self.shutdownReport(of: run))
    }
    return reports.count == 1 ? reports[0] : ShutdownReport(reports)
  }

  private static func shutdownReport(of core: RunCore) async throws(PondError) -> ShutdownReport {
    if core.life.shutdown.fulfilled != nil { return await core.shutdownReport() }
    let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    try await waiter?.value(of: core.life.shutdown)
    return await core.shutdownReport()
  }

  /// What happened, once the run has been shut down: by a signal, because a service ended, by
  /// ``shutdown(within:)``, or because it was cancelled. What came of the shutdown is in
  /// ``Report/shutdown``.
  ///
  /// Cancelling the task that waits here does not shut the run down.
  ///
  /// - Returns: The report of the run.
  /// - Throws: ``PondError`` if it is called inside of what it would have to wait for, as
  ///   ``shutdown(within:)``, or of what this run is shut down after, as ``report``.
  public func reportAfterShutdown() async throws(PondError) -> Report {
    if core.life.shutdown.fulfilled != nil { return await ended() }
    let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
    defer { SelfAwaitingRuns.end(waiter) }
    try await waiter?.value(of: core.life.shutdown)
    return await shutDownInTheEnd()
  }

  func shutDownInTheEnd() async -> Report {
    _ = await core.shutdownReport()
    return await ended()
  }

  func ended() async -> Report {
    core.report(at: await core.life.end.value())
  }
}

extension PebbleContext {
  /// The run whose pebble this is; `nil` once there is no other reference to it, and for a context
  /// made by hand.
  ///
  /// ```swift
  /// pond.service("http") { ready in
  ///   let run = PebbleContext.current?.run
  ///   router.get("/ready") { run?.status.phase == .over ? .ok : .serviceUnavailable }
  ///   …
  /// }
  /// ```
  public var run: Run? { (runReference?.object as? RunCore).map(Run.init) }
}

extension Program {
  /// Starts a run of the program, as `Pond.start` does.
  ///
  /// - Returns: The run.
  package func start(
    only targets: [any PebbleIdentifying]? = nil, clock: some Clock<Duration>,
    within limit: Duration?
  ) throws(PondError) -> Run {
    let options = try RunOptions(
      only: targets, within: limit, learningFrom: nil, eventHistory: 0, of: self)
    let core = RunCore(self, RunClock(clock), options)
    core.start()
    return Run(core)
  }
}
