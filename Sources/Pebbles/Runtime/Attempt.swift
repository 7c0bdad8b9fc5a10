/// The life of one attempt: one call of a body, and everything that the body leaves behind.
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
/// The caller is told exactly one of three things: the body has ended, the service is ready, or the
/// time is up. A pebble that fails gives back its resources, and begins its next attempt, only when
/// the attempt is over.
///
/// Like `RunLifecycle`, this type is a synchronous state machine. `RunLife` holds both.
struct Attempt: Sendable {
  enum Phase: Sendable {
    /// A body that has not been called yet.
    /// Can transition to: `running` (the body is called), `late` (the time runs out first).
    case waiting

    /// A running body.
    /// Can transition to: `ready` (the service reports that it is ready), `late` (the time is up),
    /// `closing` (the body has failed, and the runs inside it have yet to be shut down), `ended`
    /// (the body has ended).
    case running

    /// The running body of a ready service.
    /// Can transition to: `bodyEnded` (the body has ended), `late` (it did not stop in time for a
    /// restart).
    case ready

    /// The ended body of a service that was ready. Everything that it has left behind is closed
    /// when the service is restarted or goes down, or else by the shutdown.
    /// Can transition to: `closing` (everything is closed now), `ended` (closing is left to the
    /// shutdown).
    case bodyEnded

    /// An attempt whose caller has been told that the time is up. The body may still be running. If
    /// it hands over an output, the output is kept so that it can be undone.
    /// Can transition to: `closing` (the body has ended and leaves something behind), `ended` (it
    /// leaves nothing).
    case late(handedOver: AnyOutput??)

    /// An ended body, while its output is being undone and the runs inside it are being shut down.
    /// Can transition to: `ended` (all of that is done).
    case closing

    /// The final phase.
    case ended
  }

  /// The work that is left after a body has ended.
  enum Rest: Sendable {
    /// No work: the attempt is over.
    case nothing
    /// An output to undo, and the runs inside the attempt to shut down.
    case output(AnyOutput?)
    /// The runs inside the attempt to shut down.
    case runs
    /// The work that `ServiceLife` decides on after the body of a ready service has ended.
    case service
  }

  let call: AttemptCall
  private(set) var phase = Phase.waiting

  /// Whether the attempt exceeded its time limit, or did not stop in time for a restart.
  private(set) var wasLate = false

  /// Whether the caller of the attempt was cancelled.
  private(set) var isCancelled = false

  /// The progress of the recall. When a service is restarted, the services that must be restarted
  /// with it are recalled, because their input from it is gone.
  private(set) var recall = Recall.no

  enum Recall {
    case no
    /// A recall of a service that has not been asked to stop. A ready service is asked as soon as
    /// the services that must stop before it have stopped. A service that is not ready is never
    /// asked. Its body is cancelled instead.
    case pending
    case stopRequested
  }

  /// Whether the pebble has settled and keeps its resources until the attempt is over.
  private(set) var isHolder = false

  /// The time until which others wait for the attempt to end, in nanoseconds. After a timeout, they
  /// wait for another period as long as the time limit.
  private(set) var lastMoment = UInt64.max

  init(_ call: AttemptCall) {
    self.call = call
  }

  /// Creates an attempt whose body was awaited inline by a runner and has left runs behind.
  init(closing call: AttemptCall) {
    self.call = call
    phase = .closing
  }

  var isOver: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Whether the body is running or still to be called, and the caller has not been told the
  /// result.
  var isGoingOn: Bool {
    switch phase {
    case .waiting, .running: true
    case .ready, .bodyEnded, .late, .closing, .ended: false
    }
  }

  /// Decides whether to call the body. Called when the task of the attempt starts.
  ///
  /// - Parameter isAlwaysCalled: Whether the body is called even after its time is up.
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

  /// Records that the attempt has run out of time.
  ///
  /// - Returns: Whether the caller must be told.
  mutating func timePassed(limit: Duration, at time: UInt64) -> Bool {
    guard isGoingOn else { return false }
    phase = .late(handedOver: nil)
    wasLate = true
    lastMoment = time.addingSaturated(limit.nanoseconds)
    return true
  }

  /// The consequence of a service becoming ready.
  enum Readiness {
    /// A service that is ready in time. The caller must be told.
    case inTime
    /// A service that is ready too late. The output is undone once the body ends.
    case late
    /// A service whose body has already ended. The output must be undone now.
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
  /// - Returns: Whether the caller must be told, and the work that is left.
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

  /// Ends the attempt once everything it left behind is closed or handed over to the shutdown.
  mutating func closed() {
    switch phase {
    case .bodyEnded, .closing: phase = .ended
    case .waiting, .running, .ready, .late, .ended: impossible("the rest of an attempt is closed")
    }
  }

  /// Recalls the attempt, because its service must be restarted together with another service.
  ///
  /// - Returns: `true` if the service is not ready yet, so that its body must be cancelled; `false`
  ///   if the service is ready and is asked to stop later; `nil` if there is nothing to do.
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

  /// Marks a ready service as late, because it did not stop for a restart. The output that it has
  /// handed over is undone when the service ends.
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
