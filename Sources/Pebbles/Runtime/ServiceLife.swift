/// The life of one service in one run, across all calls to its body.
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
/// A service is *recalled* if it must be restarted because another service is being restarted. The
/// `Attempt` of the service records the recall.
///
/// Like `RunLifecycle`, this type is a synchronous state machine. If a service ends after becoming
/// ready, the consequences are not decided until its pebble has settled.
struct ServiceLife: Sendable {
  enum Phase: Sendable {
    /// A service whose body is called for the first time.
    /// Can transition to: `ready` (the service reports that it is ready), `ended` (it does not come
    /// up).
    case starting

    /// A ready service whose pebble has not settled. The body may have ended.
    /// Can transition to: `up` (the pebble has settled), `restarting` or `stopping` (the pebble has
    /// settled after the body ended).
    case ready(AttemptCall, ended: Result<Void, any Error>?)

    /// A service that is up.
    /// Can transition to: `stopping` (it is asked to stop, or ends in a permitted way),
    /// `restarting` (it ends without being asked to stop, it ends after a recall, or it does not
    /// stop in time for a restart).
    case up(AttemptCall)

    /// A service that is being restarted. If it ended without being asked to stop, it is called
    /// again only if its policy allows a restart. If it was recalled, it is called again once the
    /// services that caused the recall are up.
    /// Can transition to: `up` (it is ready again), `stopping` (it is asked to stop), `down` (it is
    /// not called again).
    case restarting

    /// A service that was asked to stop, or has ended in a permitted way.
    /// Can transition to: `ended` (it has ended).
    case stopping

    /// A service that is not called again although it was not asked to stop. The last call to its
    /// body may still be in progress.
    /// Can transition to: `stopping` (the service is asked to stop), `ended` (it has ended).
    case down

    /// The final phase.
    case ended
  }

  private(set) var phase = Phase.starting

  /// A promise that is fulfilled once the run asks the service to stop.
  let stop = Promise<Void>()

  /// A promise that is fulfilled once the service has ended permanently.
  let hasEnded = Promise<Void>()

  /// The time at which the service became ready in its last call, in nanoseconds; `nil` if it has
  /// not become ready in that call.
  private(set) var readySince: UInt64?

  /// Whether the service is between two calls, because it was recalled: the last call has ended,
  /// and the next one has not begun.
  private(set) var isRecalled = false

  /// Whether the service was up and then ended as expected, either in a permitted way or because
  /// the run was cancelled. The output of such a service is still valid.
  private(set) var hasEndedWell = false

  /// Whether the shutdown no longer waits for the service. If so, the output is undone when the
  /// service ends.
  private(set) var isAbandoned = false

  /// The output that must be torn down.
  private enum Output: Sendable {
    /// The output of the service's pebble.
    case first
    /// A later output of a restarted service.
    case latest(AnyOutput?)
    /// No output, because it has already been undone, or belonged to an earlier process.
    case none
  }

  private var output = Output.first

  /// Creates the life of a service that is called for the first time.
  init() {}

  /// The life of a service that was up in an earlier process and will be called again in this one.
  static var restored: ServiceLife {
    var life = ServiceLife()
    life.phase = .restarting
    life.output = .none
    return life
  }

  /// Whether the service has not reached the final phase. A service that is being restarted or is
  /// down counts as running.
  var isRunning: Bool {
    if case .ended = phase { false } else { true }
  }

  /// Whether the service is in the phase `stopping` or in the final phase.
  var isStopping: Bool {
    switch phase {
    case .stopping, .ended: true
    case .starting, .ready, .up, .restarting, .down: false
    }
  }

  /// Records that the service has become ready in time.
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

  /// Returns the latest output, and marks it as torn down.
  ///
  /// - Parameter first: The output of the service's pebble.
  /// - Returns: The output; `nil` if it has already been torn down.
  mutating func takeOutput(first: AnyOutput?) -> AnyOutput?? {
    defer { output = .none }
    return switch output {
    case .first: .some(first)
    case .latest(let output): .some(output)
    case .none: nil
    }
  }

  /// Records that the service's pebble has settled.
  ///
  /// - Returns: The call and the result of the body if the body has already ended; otherwise `nil`.
  mutating func pebbleSettled() -> (call: AttemptCall, result: Result<Void, any Error>)? {
    guard case .ready(let call, let result) = phase else { return nil }
    phase = .up(call)
    return result.map { (call, $0) }
  }

  /// Records the end of a call in which the service became ready, or of a failed restart.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - result: The result of the body.
  ///   - isExpected: Whether the call was cancelled together with the run, or was allowed to end
  ///     with this result.
  /// - Returns: Whether the end was expected or requested; `nil` if that cannot be decided yet.
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

  /// Records that the most recent call has ended because the service was recalled.
  mutating func recalled() {
    isRecalled = true
  }

  /// Records that the body is called again.
  mutating func calledAgain() {
    isRecalled = false
    readySince = nil
  }

  /// Records that the service is asked to stop.
  mutating func stopRequested() {
    switch phase {
    case .up, .restarting, .down, .stopping: phase = .stopping
    case .starting, .ready, .ended: impossible("it is asked to stop")
    }
  }

  /// Records that the shutdown no longer waits for the service.
  mutating func abandoned() {
    isAbandoned = true
  }

  /// Records that the service will not be called again.
  ///
  /// - Returns: Whether this call has changed the phase to `down`. If not, the service was already
  ///   down, or is being stopped.
  mutating func wentDown() -> Bool {
    switch phase {
    case .restarting:
      phase = .down
      return true
    case .stopping, .down:
      return false
    case .starting, .ready, .up, .ended:
      impossible("it is not called again")
    }
  }

  /// Records that the service has ended permanently or has failed to come up.
  mutating func ended() {
    switch phase {
    case .starting, .stopping, .down: phase = .ended
    case .ready, .up, .restarting, .ended: impossible("it has ended")
    }
  }

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("a service: \(happening), which cannot happen in the phase \(phase)")
  }
}
