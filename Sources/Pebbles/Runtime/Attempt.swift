/// The life of one attempt, including everything that the body leaves behind.
///
/// ```
///  waiting ──▶ running ──┬──▶ ended
///     │           │      ├──▶ closing ──▶ ended
///     │           │      └──▶ ready ──┬──▶ bodyEnded ──┬──▶ ended
///     │           │                   │                └──▶ closing ──▶ ended
///     └───────────┴──▶ late ◀─────────┘
///                        ├──▶ ended
///                        └──▶ closing ──▶ ended
/// ```
///
/// The caller is notified exactly once, as soon as the body has ended, the service is ready, or the
/// attempt has timed out. After a failed attempt, the pebble releases its resources or begins its
/// next attempt only when the failed attempt is over. `BodyCall` contains the timeout's timer.
///
/// Like `RunLifecycle`, this type is a synchronous state machine. `RunLife` holds both.
struct Attempt: Sendable {
  enum Phase: Sendable {
    /// A body that has not been called yet.
    /// Can transition to: `running` (the body is called), `late` (the time runs out first).
    case waiting

    /// A running body.
    /// Can transition to: `ready` (the service reports that it is ready), `late` (the time is up),
    /// `closing` (the body has failed, and the runs inside it must still be shut down), `ended`
    /// (the body has ended).
    case running

    /// The running body of a ready service.
    /// Can transition to: `bodyEnded` (the body has ended), `late` (it did not stop in time for a
    /// restart).
    case ready

    /// The ended body of a service that was ready. Everything that the body left behind is closed
    /// when the service is restarted or goes down, or at the latest during the shutdown.
    /// Can transition to: `closing` (everything is closed now), `ended` (closing is left to the
    /// shutdown).
    case bodyEnded

    /// An attempt that has timed out. Its caller has been notified, but the body may still be
    /// running. If the body hands over an output, the attempt keeps the output in order to undo it.
    /// Can transition to: `closing` (the body has ended and leaves something behind), `ended` (the
    /// body leaves nothing behind, or is not called).
    case late(handedOver: AnyOutput??)

    /// An ended body whose output is being undone and whose inner runs are being shut down.
    /// Can transition to: `ended` (everything is undone and shut down).
    case closing

    /// The final phase.
    case ended
  }

  /// The work that is left after a body has ended.
  enum Rest: Sendable {
    /// No work, because the attempt is over.
    case nothing
    /// An output to undo, and inner runs to shut down.
    case output(AnyOutput?)
    /// Inner runs to shut down.
    case runs
    /// The work that remains when the body of a ready service has ended, which depends on the
    /// service's `ServiceLife`.
    case service
  }

  let call: AttemptCall
  private(set) var phase = Phase.waiting

  /// Whether the attempt exceeded its time limit, or its service did not stop in time for a
  /// restart.
  private(set) var wasLate = false

  /// Whether the caller of the attempt was cancelled.
  private(set) var isCancelled = false

  /// The progress of a recall. When a service restarts, the services that restart with it are
  /// recalled, because the outputs they took are no longer valid.
  private(set) var recall = Recall.no

  enum Recall {
    case no
    /// A recall of a service that has not been asked to stop yet. A ready service is asked to stop
    /// once all services that must stop before it have stopped. If a service is not ready, its
    /// body is cancelled instead.
    case pending
    case stopRequested
  }

  /// Whether the pebble has settled and keeps its resources until the attempt is over.
  private(set) var isHolder = false

  /// The time, in nanoseconds, when other code stops waiting for the attempt to be over; `.max`
  /// for no limit. After a timeout, other code waits for the length of the time limit again. If a
  /// service did not stop for a restart, the wait ended when the service was abandoned. In any
  /// other case, the wait ends `AttemptCall.closingTime` after the attempt began to close.
  private(set) var lastMoment = UInt64.max

  init(_ call: AttemptCall) {
    self.call = call
  }

  /// Creates an attempt for a body that was awaited inline and has left runs behind.
  init(closing call: AttemptCall) {
    self.call = call
    phase = .closing
  }

  var isOver: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Whether the caller has not been notified of the result yet. This is `true` only in the phases
  /// `waiting` and `running`.
  var isGoingOn: Bool {
    switch phase {
    case .waiting, .running: true
    case .ready, .bodyEnded, .late, .closing, .ended: false
    }
  }

  /// Records that the task of the attempt has started, and determines whether to call the body.
  ///
  /// - Parameter isAlwaysCalled: Whether to call the body even if the attempt has timed out.
  /// - Returns: Whether to call the body.
  mutating func bodyCalled(isAlwaysCalled: Bool) -> Bool {
    switch phase {
    case .waiting:
      phase = .running
      return true
    case .late:
      if !isAlwaysCalled { phase = .ended }
      return isAlwaysCalled
    case .running, .ready, .bodyEnded, .closing, .ended:
      impossible("a body is called")
    }
  }

  /// Records that the attempt has timed out.
  ///
  /// - Returns: Whether the code that waits for the attempt's result must be notified.
  mutating func timePassed(limit: Duration, at time: UInt64) -> Bool {
    guard isGoingOn else { return false }
    phase = .late(handedOver: nil)
    wasLate = true
    lastMoment = time.addingSaturated(limit.nanoseconds)
    return true
  }

  /// The timing of a service's report that it is ready, relative to the time limit and the end of
  /// the body.
  enum Readiness {
    /// A report in time. The caller must be notified.
    case inTime
    /// A report after the timeout. The output is undone once the body ends.
    case late
    /// A report after the body has ended. The output must be undone now.
    case tooLate
  }

  mutating func serviceReady(_ output: AnyOutput?) -> Readiness {
    switch phase {
    case .running:
      phase = .ready
      return .inTime
    case .late:
      phase = .late(handedOver: .some(output))
      return .late
    case .bodyEnded, .closing, .ended:
      return .tooLate
    case .waiting, .ready:
      impossible("a service is ready")
    }
  }

  /// Records that the body has ended.
  ///
  /// - Parameters:
  ///   - result: The result of the body.
  ///   - hasRuns: Whether runs inside the attempt may have to be shut down.
  ///   - time: The time at which the body ended, in nanoseconds.
  /// - Returns: Whether the caller must be notified, and the work that is left.
  mutating func bodyEnded(
    _ result: Result<AnyOutput?, any Error>, hasRuns: Bool, at time: UInt64
  ) -> (isTold: Bool, rest: Rest) {
    switch phase {
    case .running:
      guard case .failure = result, hasRuns else {
        phase = .ended
        return (true, .nothing)
      }
      lastMoment = time.addingSaturated(call.closingTime)
      phase = .closing
      return (true, .runs)
    case .ready:
      phase = .bodyEnded
      return (false, .service)
    case .late(let handedOver):
      var output = handedOver
      if case .success(let late) = result { output = .some(late) }
      if !call.undoesOutput { output = nil }
      guard output != nil || hasRuns else {
        phase = .ended
        return (false, .nothing)
      }
      phase = .closing
      return (false, output.map(Rest.output) ?? .runs)
    case .waiting, .bodyEnded, .closing, .ended:
      impossible("a body has ended")
    }
  }

  /// Begins to close everything that a service has left behind.
  mutating func beginClosing(at time: UInt64) {
    guard case .bodyEnded = phase else { impossible("the rest of a service is closed") }
    phase = .closing
    lastMoment = time.addingSaturated(call.closingTime)
  }

  /// Ends the attempt. Everything that it left behind must have been closed or handed over to the
  /// shutdown.
  mutating func closed() {
    switch phase {
    case .bodyEnded, .closing: phase = .ended
    case .waiting, .running, .ready, .late, .ended: impossible("the rest of an attempt is closed")
    }
  }

  /// Recalls the attempt because its service is restarted together with another service.
  ///
  /// - Returns: `true` if the service is not ready and its body must be cancelled now; `false` if
  ///   the service is ready and must be asked to stop later; `nil` if the attempt needs no recall.
  mutating func recalled() -> Bool? {
    guard recall == .no else { return nil }
    switch phase {
    case .waiting, .running:
      recall = .pending
      return true
    case .ready:
      recall = .pending
      return false
    case .bodyEnded, .late, .closing, .ended:
      return nil
    }
  }

  /// Records that the service has been asked to stop for a restart.
  mutating func stopAsked() {
    recall = .stopRequested
  }

  /// Marks the attempt of a ready service as late, because the service did not stop in time for a
  /// restart. The output that the service has handed over is undone when the service ends.
  mutating func didNotStop(holding output: AnyOutput??, at time: UInt64) {
    guard case .ready = phase else { impossible("a service does not stop") }
    phase = .late(handedOver: output)
    wasLate = true
    recall = .no
    lastMoment = time
  }

  /// Records that the caller has been cancelled.
  mutating func cancelled() {
    isCancelled = true
  }

  /// Records that the pebble has settled.
  ///
  /// - Returns: Whether the pebble keeps its resources until the attempt is over.
  mutating func pebbleSettled() -> Bool {
    isHolder = !isOver
    return isHolder
  }

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("\(happening), which cannot happen in the phase \(phase)")
  }
}
