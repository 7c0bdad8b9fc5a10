/// How far a run has come: for a readiness endpoint.
///
/// ```swift
/// router.get("/ready") { _, _ in
///   run.status.phase == .over ? HTTPResponse.Status.ok : .serviceUnavailable
/// }
/// ```
///
/// The pebbles are looked at one after the other, without stopping the run: of two that are
/// running here, one may have ended just before the other started. Once the ``phase`` says that the
/// run is over, all pebbles are settled.
///
/// ``pebbles`` says for each what it is at, and what it waits for:
///
/// ```swift
/// for pebble in run.status.pebbles where pebble.state.kind == .ready {
///   print(pebble.name, "waits for", pebble.state.limits)
/// }
/// ```
public struct RunStatus: Sendable, Hashable {
  /// Where a run stands. More phases may come with later versions.
  public struct Phase: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
      case booting
      case over
      case failed
      case shuttingDown
      case shutDown
    }

    package let kind: Kind

    /// It is going on.
    public static let booting = Phase(kind: .booting)

    /// It has ended, and no failure was left unhandled. Services are running.
    public static let over = Phase(kind: .over)

    /// It has ended, but left a failure unhandled or was cancelled for one or because its deadline
    /// passed, or has not reached the goal of its pond; or a service has ended that was not asked
    /// to, of this run or of one inside.
    public static let failed = Phase(kind: .failed)

    /// It is being torn down.
    public static let shuttingDown = Phase(kind: .shuttingDown)

    /// It has been torn down, and nothing was wrong: see ``Report/exitCode``.
    public static let shutDown = Phase(kind: .shutDown)

    /// Its name: `shuttingDown`.
    public var description: String { kind.rawValue }
  }

  /// A pebble whose body is running.
  public struct RunningPebble: Sendable, Hashable {
    /// The name of the pebble.
    public let name: String

    /// When its body was first called, as an offset from the start of the run.
    public let since: Duration
  }

  /// Where the run stands.
  public let phase: Phase

  /// The pebbles whose bodies are running, in definition order, and the services that are ready
  /// and go on.
  public let running: [RunningPebble]

  /// All pebbles, in definition order.
  public let pebbles: [Pebble]

  /// How many pebbles have their outcome.
  public let settled: Int

  /// How many pebbles there are.
  public let total: Int

  /// How much time has passed since the start of the run.
  public let elapsed: Duration
}

extension Run {
  /// How far the run has come.
  ///
  /// - Complexity: O(pebbles + atoms), with at most a thousand operands looked at for each pebble
  ///   that waits; and O(atoms above them) for those that failed.
  public var status: RunStatus {
    // First, lest a run that ends meanwhile be over and have pebbles still running.
    let phase = phase
    let state = core.storage.state
    let services = core.runningServices
    let statuses = (0..<state.network.pebbleCount).map(state.status(of:))
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

  /// What came of the boot, once it is over; `nil` before, and while the run is shut down.
  package var reportOfBoot: Report? {
    switch core.life.phase {
    case .booting, .atRest, .stopping: nil
    case .ended(let end), .ending(let end, _), .up(let end): core.report(at: end)
    }
  }

  private var phase: RunStatus.Phase {
    switch core.life.phase {
    case .booting, .atRest: return .booting
    case .stopping: return .shuttingDown
    case .ended(let end): return core.report(at: end).exitCode == 0 ? .shutDown : .failed
    case .ending(let end, _), .up(let end):
      let report = core.report(at: end)
      return report.isCancelled || !report.unhandledFailures.isEmpty
        || report.isGoalReached == false || !report.strayValues.isEmpty ? .failed : .over
    }
  }
}
