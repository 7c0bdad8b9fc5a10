import Synchronization

extension Pond {
  /// Joins the refresh that is under way, or starts one.
  ///
  /// Pull to refresh: however often a user pulls, one run does the work, and each caller gets its
  /// report. Only runs started by `refresh` are joined, and only while they are not cancelled;
  /// ``run(given:only:clock:within:learningFrom:holding:detached:)`` always starts a run of its
  /// own. A run that is joined has the definition of when it started.
  ///
  /// Cancelling the calling task cancels the run once all that wait for it have been cancelled. A
  /// cancelled task still gets the report, when the run ends.
  ///
  /// - Parameters:
  ///   - clock: Tells the times in the report; that of the caller that starts the run counts.
  ///   - limit: How long the run takes at the latest, from its start;
  ///     that of the caller that starts the run counts.
  /// - Returns: What happened.
  /// - Throws: ``PondError`` if the pond is defined wrongly, has services or is given values, or if
  ///   this is inside of the run that it would wait for, or of one that that run waits for.
  public func refresh(
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil
  ) async throws(PondError) -> Report {
    // Also finds out whether this is inside of the run that would be joined.
    let fresh = Refresh(
      try core(clock, limit, nil, 0, faults: refreshFaults, isDetached: true))
    let refresh = refreshes.joined(by: fresh)
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
  /// What is wrong with refreshing this pond.
  private var refreshFaults: [PondError.Fault] {
    let program = program()
    if let first = program.pond.givenPebbles.first {
      let name = program.pond.graph.names[first].truncated(to: 60).swiftLiteral
      let problem =
        "is to be given a value for \(name), and all who join a refresh share one run; "
        + "use run(given:)"
      return [.invalidRun(problem: problem)]
    }
    let services = program.options.filter(\.value.isService).keys.sorted()
    guard let first = services.first else { return [] }
    let name = program.pond.graph.names[Int(first)].swiftLiteral
    let problem =
      "has the service \(name), of which every refresh would leave another one running; "
      + "start() the pond and keep its run"
    return [.invalidRun(problem: problem)]
  }
}

/// The refresh of a pond that can be joined, if there is one.
final class Refreshes: Sendable {
  private let current = Mutex<Refresh?>(nil)

  /// How many wait for the latest refresh.
  var waitingCount: Int { current.withLock { $0?.waitingCount ?? 0 } }

  /// - Returns: The refresh under way, or `fresh` if there is none.
  func joined(by fresh: Refresh) -> Refresh {
    current.withLock { current in
      if let current, current.join() { return current }
      current = fresh
      return fresh
    }
  }

  /// Lets go of a refresh that is over, and thus of all that its bodies have returned.
  func ended(_ refresh: Refresh) {
    current.withLock { current in
      if current === refresh { current = nil }
    }
  }
}

/// A run and how many wait for it.
final class Refresh: Sendable {
  let core: RunCore
  private let waiting = Mutex(1)

  init(_ core: RunCore) {
    self.core = core
  }

  var waitingCount: Int { waiting.withLock { $0 } }

  /// - Returns: Whether that was possible.
  func join() -> Bool {
    waiting.withLock { waiting in
      guard waiting > 0, !core.isCancelled, !core.life.isOver else { return false }
      waiting += 1
      return true
    }
  }

  /// A caller is about to wait.
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
