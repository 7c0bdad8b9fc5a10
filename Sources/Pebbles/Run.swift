/// One execution of a pond, started by
/// ``Pond/start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)``.
///
/// The run continues even if the caller does not keep this object.
public final class Run: Sendable {
  let core: RunCore

  /// The earlier runs in the chain of resumed runs, except those that had nothing to tear down when
  /// this object was created. The object keeps these runs alive, because shutting down this run
  /// also shuts them down.
  private let earlier: [RunCore]

  init(_ core: RunCore) {
    self.core = core
    earlier = core.earlierRunsToTearDown
  }

  /// The outcomes, times and outputs of the run so far.
  package var storage: RunStorage { core.storage }

  /// Whether the run has left something to tear down: outputs, services, or runs inside its bodies.
  package var hasOpened: Bool { core.hasOpened }

  /// The unique identifier of the run.
  public var identifier: RunIdentifier { core.identifier }

  /// Ends the run early, by cancelling the tasks of running bodies and starting no more pebbles.
  /// Pebbles that have not started are skipped with ``SkipReason/cancelled``.
  ///
  /// Cancellation is cooperative: the report is delivered when the running bodies have ended and
  /// everything that was set up by then has been torn down, or when the time limit of the run has
  /// passed. You can call this method at any time and from any thread. Only the first call has an
  /// effect, and only before the end of the run.
  public func cancel() {
    core.cancel(.requested)
  }

  /// The events of the run from now on, for an observer that reads them promptly.
  ///
  /// The observer buffers up to 256 unread events, or more if the run keeps more events for later
  /// observers. When more events arrive, the oldest are dropped.
  ///
  /// A run has already begun when `start` returns. An observer misses all events that occurred
  /// before it was created, unless the run keeps them:
  ///
  /// ```swift
  /// let run = try pond.start(eventHistory: 1_000)
  /// for await event in run.events { print(event) }
  /// ```
  ///
  /// Each access to this property creates a separate observer, and so does each additional
  /// iteration over its value.
  public var events: RunEvents { events(bufferingNewest: 256) }

  /// Returns the events of the run from now on.
  ///
  /// - Parameter capacity: The maximum number of unread events that are buffered for this observer.
  ///   The actual capacity is at least 1, and at least the number of events that the run keeps for
  ///   later observers. When more events arrive, the oldest are dropped and counted in
  ///   ``RunEvent/droppedCount``.
  /// - Returns: The events, preceded by those that the run has kept for later observers.
  public func events(bufferingNewest capacity: Int) -> RunEvents {
    core.events.subscribe(bufferingNewest: capacity) { [identifier] in
      EnclosingBody.stopsOfServices(observing: identifier)
    }
  }

  /// The report of the run, once the run has ended.
  ///
  /// Cancelling the task that waits here does not cancel the run, unlike in
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)``.
  ///
  /// - Throws: ``PondError`` if the wait could never end because the run itself waits for the
  ///   caller. The caller is then a body of the run, a teardown that is called after the
  ///   cancellation of the run, or a body that one of these is waiting for. The error is also
  ///   thrown if an outer run that was cancelled or shut down stops the caller before it stops
  ///   this run. In this second case, the caller is the body that started this run, or a service
  ///   or teardown that comes before that body's pebble in the outer shutdown. Use
  ///   ``shutdown(within:)`` instead, which does not wait for the outer run.
  public var report: Report {
    get async throws(PondError) {
      if core.life.end.fulfilled != nil { return await ended() }
      guard let waiter = try SelfAwaitingRuns.begin(.end, of: core) else { return await ended() }
      defer { SelfAwaitingRuns.end(waiter) }
      return core.report(at: try await waiter.value(of: core.life.end))
    }
  }

  /// Tears down everything that has been set up, by stopping services and calling teardowns.
  ///
  /// Dependents are torn down first, in the reverse of the order in which pebbles enabled each
  /// other in this run. Independent pebbles are torn down at the same time. A run that has not
  /// ended is cancelled first. The teardown of each pebble that succeeded is called exactly once,
  /// no matter how often or from where this method is called; all callers wait for the same
  /// shutdown.
  ///
  /// If this run resumes an earlier run or has been resumed by a later one, all these runs are torn
  /// down, the newest first.
  ///
  /// - Parameter limit: The longest time that the shutdown may take, from this call; no limit if
  ///   `nil`. Bodies that have not ended after half of this time are abandoned to leave time for
  ///   the teardowns. If there is nothing to tear down, the bodies can use all of the time.
  ///   Anything not torn down by the deadline is torn down later, without being waited for, and is
  ///   listed in ``ShutdownReport/failures``. If several calls set a limit before teardown begins,
  ///   the earliest deadline wins; a limit set later has no effect.
  /// - Returns: The report of the shutdown, which lists everything that was torn down.
  /// - Throws: ``PondError`` if the limit is not positive. The error is also thrown if the
  ///   shutdown would have to wait for its own caller. The caller is then a service, a teardown, a
  ///   body of a run that has not ended, or a body that one of these is waiting for. The shutdown
  ///   has begun even in this case.
  @discardableResult
  public func shutdown(within limit: Duration? = nil) async throws(PondError) -> ShutdownReport {
    let faults = Pond.faults(ofShutdownWithin: limit)
    if !faults.isEmpty {
      throw PondError(pondName: core.program.pond.graph.pondName, faults: faults)
    }
    core.shutDown(.shutdown, within: limit)
    var reports: [ShutdownReport] = []
    for run in core.chain?.runs.reversed() ?? [core]
    where core.resumption?.tornDownBefore.contains(run.identifier) != true {
      reports.append(try await Self.shutdownReport(of: run))
    }
    return reports.count == 1 ? reports[0] : ShutdownReport(reports)
  }

  private static func shutdownReport(of core: RunCore) async throws(PondError) -> ShutdownReport {
    if core.life.shutdown.fulfilled == nil {
      let waiter = try SelfAwaitingRuns.begin(.shutdown, of: core)
      defer { SelfAwaitingRuns.end(waiter) }
      try await waiter?.value(of: core.life.shutdown)
    }
    return await core.shutdownReport()
  }

  /// Waits until the run has been shut down, and returns the report of the run.
  ///
  /// The shutdown may be due to a signal, the end of a service, ``shutdown(within:)`` or a
  /// cancellation. Its result is in ``Report/shutdown``. Cancelling the task that waits here does
  /// not shut the run down.
  ///
  /// - Returns: The report of the run.
  /// - Throws: ``PondError`` if the shutdown would wait for its own caller (see
  ///   ``shutdown(within:)``), or if an outer run stops the caller before it stops this run (see
  ///   ``report``).
  public func reportAfterShutdown() async throws(PondError) -> Report {
    _ = try await Self.shutdownReport(of: core)
    return await ended()
  }

  func reportAfterTeardown() async -> Report {
    _ = await core.shutdownReport()
    return await ended()
  }

  /// Waits until the run has ended or the current task is cancelled. A body of the run may call
  /// this method only in a task that neither the body nor the run waits for.
  package func waitForEnd() async {
    _ = await core.waits(for: core.life.end, until: .max)
  }

  func ended() async -> Report {
    core.report(at: await core.life.end.value())
  }
}

extension PebbleContext {
  /// The run to which the pebble belongs; `nil` if the run is no longer referenced anywhere else,
  /// or if the context was created by hand or belongs to a single call in another process.
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
  /// Starts a run of the program, like `Pond.start`.
  ///
  /// - Returns: The started run.
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
