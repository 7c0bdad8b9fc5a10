/// The progress of a run at one moment, for example for a readiness endpoint.
///
/// ```swift
/// router.get("/ready") { _, _ in
///   run.status.phase == .over ? HTTPResponse.Status.ok : .serviceUnavailable
/// }
/// ```
///
/// The pebbles are read one after the other while the run continues, so the list may be
/// inconsistent. For example, two pebbles can be listed as running although one of them ended just
/// before the other started. If the ``phase`` says that the run is over, all pebbles have settled.
///
/// The states in ``pebbles`` also show why a pebble has not started yet:
///
/// ```swift
/// for pebble in run.status.pebbles where pebble.state.kind == .ready {
///   print(pebble.name, "waits for", pebble.state.limits)
/// }
/// ```
public struct RunStatus: Sendable, Hashable {
  /// A phase of a run. Later versions may add phases.
  @nonexhaustive public enum Phase: String, Sendable, CaseIterable {
    /// The phase of a run that has not ended.
    case booting

    /// The phase of a run that has ended successfully: all failures were handled, and the goal, if
    /// any, was reached. Services of the run may still be running.
    case over

    /// The phase of a run that has ended unsuccessfully: it has an unhandled failure, missed the
    /// goal of its pond, has ``Report/strayValues``, or was cancelled. A run is also in this phase
    /// if one of its services, or a service of a run inside it, ended without having been asked to
    /// stop. After the teardown, a run is in this phase only if its ``Report/exitCode`` is not 0.
    case failed

    /// The phase of a run that is being torn down.
    case shuttingDown

    /// The phase of a run that has been torn down with a ``Report/exitCode`` of 0.
    case shutDown
  }

  /// A pebble whose body is running.
  public struct RunningPebble: Sendable, Hashable {
    /// The name of the pebble.
    public let name: String

    /// The time at which the body was first called, as an offset from the start of the run.
    public let since: Duration
  }

  /// The phase of the run.
  public let phase: Phase

  /// The pebbles whose bodies are running, in definition order, including services that are ready
  /// and still running.
  public let running: [RunningPebble]

  /// All pebbles, in definition order.
  public let pebbles: [Pebble]

  /// The number of pebbles that have an outcome.
  public let settled: Int

  /// The number of pebbles.
  public let total: Int

  /// The time since the start of the run.
  public let elapsed: Duration
}

extension Run {
  /// The progress of the run at this moment.
  ///
  /// - Complexity: O(pebbles + atoms). For each waiting pebble, at most a thousand operands are
  ///   examined. The failed pebbles add O(atoms of the conditions that depend on them).
  public var status: RunStatus {
    // Read first: otherwise, a run that ends in the meantime could seem to be over and still have
    // running pebbles.
    let phase = phase
    let state = core.storage.state
    let services = core.runningServices
    let statuses = (0..<state.network.pebbleCount).map(state.statusWithCases(of:))
    let states = PebbleStates(core, statuses)
    var running: [RunStatus.RunningPebble] = []
    var pebbles: [RunStatus.Pebble] = []
    for (pebble, status) in statuses.enumerated() {
      let name = core.name(pebble)
      pebbles.append(states.pebble(at: pebble))
      if status == .running || services.contains(pebble) && status == .succeeded {
        let since = state.startTime(of: pebble).asNanoseconds
        running.append(RunStatus.RunningPebble(name: name, since: since))
      }
    }
    return RunStatus(
      phase: phase, running: running, pebbles: pebbles,
      settled: statuses.lazy.filter(\.isSettled).count, total: statuses.count,
      elapsed: core.clock.now().asNanoseconds)
  }

  /// The report of the run once its boot is over; `nil` during the boot.
  package var reportOfBoot: Report? {
    switch core.life.phase {
    case .booting, .atRest: nil
    case .ending(let end, _), .up(let end), .stopping(let end, _), .ended(let end):
      core.report(at: end)
    }
  }

  private var phase: RunStatus.Phase {
    switch core.life.phase {
    case .booting, .atRest: return .booting
    case .stopping: return .shuttingDown
    case .ended(let end): return core.report(at: end).exitCode == 0 ? .shutDown : .failed
    case .ending(let end, _), .up(let end):
      let report = core.report(at: end)
      return report.isCancelled || report.hasFailed ? .failed : .over
    }
  }
}
