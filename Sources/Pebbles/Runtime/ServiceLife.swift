/// The life of one service in one run, over all calls of its body.
///
/// ```
///               ready             settled            asked to
///  starting ────────────▶ ready ──────────▶ up ────────────────▶ stopping ──▶ ended
///      │                    │                ▲ │                  ▲   ▲         ▲
///      │ not ready          │ ended meanwhile│ │ ended unasked    │   │         │
///      ▼                    │           ready│ ▼                  │   │         │
///    ended                  └─────────▶ restarting ───────────────┘   │         │
///                                            │ not called again       │         │
///                                            ▼                        │         │
///                                           down ─────────────────────┴─────────┘
/// ```
///
/// Whether it is *recalled*, because a service that it restarts with is called again, its `Attempt`
/// knows.
///
/// A synchronous machine, as `RunLifecycle` is. The end of a service that is ready is not known
/// before its pebble has settled.
struct ServiceLife: Sendable {
  enum Phase: Sendable {
    /// Its body is called for the first time.
    /// Can transition to: `ready` (it says so), `ended` (it does not come up).
    case starting

    /// It is ready, and its pebble has not settled; its body may have ended.
    /// Can transition to: `up` (the pebble has settled), `restarting` or `stopping` (the same, and
    /// the body has ended).
    case ready(AttemptCall, ended: Result<Void, any Error>?)

    /// Can transition to: `stopping` (it is asked to stop, or ends as it may), `restarting` (it
    /// ends unasked, or was recalled, or does not stop although it was).
    case up(AttemptCall)

    /// It has ended unasked, and is called again if its policy says so; or was recalled, and is
    /// called again once the services are up that it restarts with.
    /// Can transition to: `up` (it is ready again), `stopping` (it is asked to stop), `down` (it is
    /// not called again).
    case restarting

    /// Asked to stop, or has ended as it may.
    /// Can transition to: `ended` (it has).
    case stopping

    /// It has ended for good without having been asked to. Its last body may go on.
    /// Can transition to: `stopping` (that is asked to stop), `ended` (that has ended).
    case down

    /// Final.
    case ended
  }

  private(set) var phase = Phase.starting

  /// Given once the run asks it to stop.
  let stop = Promise<Void>()

  /// Given once it has ended for good.
  let hasEnded = Promise<Void>()

  /// Since when the last call was ready, in nanoseconds; `nil` if it was not.
  private(set) var readySince: UInt64?

  /// Whether its last call has ended because it was recalled.
  private(set) var isRecalled = false

  /// Whether it was up when it ended as it may, or was asked to: what it has handed over is there.
  private(set) var hasEndedWell = false

  /// Whether the shutdown waits for it no longer: what it has opened is undone when it ends.
  private(set) var isAbandoned = false

  /// What there is to be torn down.
  private enum Output: Sendable {
    /// What its pebble has as its output.
    case first
    /// What it has handed over since.
    case latest(AnyOutput?)
    /// Nothing: that has been undone.
    case none
  }

  private var output = Output.first

  /// One that is called for the first time.
  init() {}

  /// One that was up in an earlier process, and is to be called again in this one.
  static var restored: ServiceLife {
    var life = ServiceLife()
    life.phase = .restarting
    life.output = .none
    return life
  }

  /// Whether it starts or goes on.
  var isRunning: Bool {
    if case .ended = phase { false } else { true }
  }

  /// Whether its end is asked for.
  var isStopping: Bool {
    switch phase {
    case .stopping, .ended: true
    case .starting, .ready, .up, .restarting, .down: false
    }
  }

  /// It says that it is ready, in time.
  mutating func ready(_ call: AttemptCall, _ output: AnyOutput?, at time: UInt64) {
    readySince = time
    switch phase {
    case .starting:
      phase = .ready(call, ended: nil)
    case .restarting:
      phase = .up(call)
      self.output = .latest(output)
    case .stopping:
      self.output = .latest(output)
    case .ready, .up, .down, .ended:
      impossible("it is ready")
    }
  }

  /// What it has handed over last is torn down now.
  ///
  /// - Parameter first: What its pebble has as its output.
  /// - Returns: That; `nil` if it has been torn down already.
  mutating func takeOutput(first: AnyOutput?) -> AnyOutput?? {
    defer { output = .none }
    return switch output {
    case .first: .some(first)
    case .latest(let output): .some(output)
    case .none: nil
    }
  }

  /// Its pebble has settled.
  ///
  /// - Returns: How its body has ended in the meantime, if it has.
  mutating func pebbleSettled() -> (call: AttemptCall, result: Result<Void, any Error>)? {
    guard case .ready(let call, let result) = phase else { return nil }
    phase = .up(call)
    return result.map { (call, $0) }
  }

  /// The body of a call has ended that was ready; or one that restarted it has failed.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - result: How.
  ///   - isExpected: Whether it was cancelled with the run, or may end like that.
  /// - Returns: Whether that was to be, or asked for; `nil` if it is not known yet.
  mutating func bodyEnded(
    _ call: AttemptCall, _ result: Result<Void, any Error>, isExpected: Bool
  ) -> Bool? {
    switch phase {
    case .ready(let call, _):
      phase = .ready(call, ended: result)
      return nil
    case .up:
      phase = isExpected ? .stopping : .restarting
      hasEndedWell = isExpected
      return isExpected
    case .restarting:
      return false
    case .stopping:
      return true
    case .starting, .down, .ended:
      impossible("its body has ended")
    }
  }

  /// It has ended because it was recalled.
  mutating func recalled() {
    isRecalled = true
  }

  /// Its body is called again.
  mutating func calledAgain() {
    isRecalled = false
    readySince = nil
  }

  /// It is asked to stop.
  mutating func stopRequested() {
    switch phase {
    case .up, .restarting, .down, .stopping: phase = .stopping
    case .starting, .ready, .ended: impossible("it is asked to stop")
    }
  }

  /// The shutdown waits for it no longer.
  mutating func abandoned() {
    isAbandoned = true
  }

  /// It is not called again, although nobody has asked it to end.
  ///
  /// - Returns: Whether it is down; otherwise it is being stopped.
  mutating func wentDown() -> Bool {
    switch phase {
    case .restarting:
      phase = .down
      return true
    case .stopping:
      return false
    case .starting, .ready, .up, .down, .ended:
      impossible("it is not called again")
    }
  }

  /// It has ended for good, or has not come up.
  mutating func ended() {
    switch phase {
    case .starting, .stopping, .down: phase = .ended
    case .ready, .up, .restarting, .ended: impossible("it has ended")
    }
  }

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("of a service, \(happening), which cannot be in the phase \(phase)")
  }
}
