import Synchronization

extension Pond {
  /// Joins the current refresh of the pond, or starts one if none is under way, and waits for the
  /// refresh to end.
  ///
  /// This method is intended for pull-to-refresh: no matter how often a user pulls in the meantime,
  /// a single run does the work, and each caller receives the report of that run. A run can be
  /// joined only if it was started by `refresh` and has not been cancelled;
  /// ``run(given:only:clock:within:learningFrom:holding:detached:)`` always starts a new run. A run
  /// uses the definition that the pond had when the run started, even for callers that join later.
  ///
  /// A calling task that is cancelled still receives the report at the end of the run. The run is
  /// cancelled once all tasks waiting for it have been cancelled.
  ///
  /// - Parameters:
  ///   - clock: The clock for the times in the report. Only the clock of the caller that starts the
  ///     run is used.
  ///   - limit: The longest time that the run may take, from its start. Only the limit of the
  ///     caller that starts the run applies.
  /// - Returns: The report of the run.
  /// - Throws: ``PondError`` if the pond is defined incorrectly, has services or takes given
  ///   values, or if `limit` is zero or negative. The error is also thrown if the caller is inside
  ///   an unfinished run of the pond, such as the current refresh, or inside a run that the current
  ///   refresh is waiting for. In both cases, the caller would wait for itself.
  public func refresh(
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil
  ) async throws(PondError) -> Report {
    // Also checks that the caller is not inside the run that it would join.
    let fresh = Refresh(
      try core(clock, limit, nil, 0, faults: refreshFaults, isDetached: true))
    let refresh = refreshes.joinOrBegin(fresh)
    let waiter = try refresh.wait()
    defer { SelfAwaitingRuns.end(waiter) }
    return await withTaskCancellationHandler {
      if refresh === fresh { refresh.core.start() }
      let report = await Run(refresh.core).ended()
      refreshes.ended(refresh)
      return report
    } onCancel: {
      refresh.leave()
    }
  }
}

extension Pond {
  /// The faults that prevent a refresh of this pond; empty if the pond can be refreshed.
  private var refreshFaults: [PondError.Fault] {
    let program = program()
    if let first = program.pond.givenPebbles.first {
      let name = program.pond.graph.names[first].shortLiteral
      let problem =
        "takes a value for \(name), but all callers of a refresh share one run; "
        + "use run(given:)"
      return [.invalidRun(problem: problem)]
    }
    let services = program.options.filter(\.value.isService).keys.sorted()
    guard let first = services.first else { return [] }
    let name = program.pond.graph.names[Int(first)].shortLiteral
    let problem =
      "has the service \(name), and every refresh would leave one more of it running; "
      + "start() the pond and keep its run"
    return [.invalidRun(problem: problem)]
  }
}

/// Storage for a pond's current refresh, if any, which callers can join.
final class Refreshes: Sendable {
  private let current = Mutex<Refresh?>(nil)

  /// The number of callers waiting for the latest refresh.
  var waitingCount: Int { current.withLock { $0?.waitingCount ?? 0 } }

  /// Joins the current refresh or, if it cannot be joined, replaces it with `fresh`.
  ///
  /// - Returns: The refresh that now counts the caller as waiting: the joined refresh, or `fresh`.
  func joinOrBegin(_ fresh: Refresh) -> Refresh {
    current.withLock { current in
      if let current, current.join() { return current }
      current = fresh
      return fresh
    }
  }

  /// Releases a finished refresh, together with the outputs of its bodies.
  func ended(_ refresh: Refresh) {
    current.withLock { current in
      if current === refresh { current = nil }
    }
  }
}

/// The run of a refresh, and the number of callers waiting for it.
final class Refresh: Sendable {
  let core: RunCore
  private let waiting = Mutex(1)

  init(_ core: RunCore) {
    self.core = core
  }

  var waitingCount: Int { waiting.withLock { $0 } }

  /// Adds a caller to those waiting for the run, unless the run is over, has been cancelled, or has
  /// no waiting callers left.
  ///
  /// - Returns: Whether the caller was added.
  func join() -> Bool {
    waiting.withLock { waiting in
      guard waiting > 0, !core.isCancelled, !core.life.isOver else { return false }
      waiting += 1
      return true
    }
  }

  /// Registers the caller as waiting for the run.
  ///
  /// - Returns: The waiter, to be passed to `SelfAwaitingRuns.end(_:)` afterwards; `nil` if the
  ///   caller is not inside a run.
  /// - Throws: ``PondError`` if the caller would wait for itself. The caller then no longer counts
  ///   as waiting.
  func wait() throws(PondError) -> SelfAwaitingRuns.Waiter? {
    do {
      return try SelfAwaitingRuns.begin(.end, of: core)
    } catch {
      leave()
      throw error
    }
  }

  func leave() {
    let isLast = waiting.withLock { waiting in
      waiting -= 1
      return waiting == 0
    }
    if isLast { core.cancel(.requested) }
  }
}
