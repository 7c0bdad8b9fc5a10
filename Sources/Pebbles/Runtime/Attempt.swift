/// The life of one attempt: of one call of a body, and of what that leaves behind.
///
/// ```
///  waiting ──▶ running ──┬──▶ ended
///     │           │      ├──▶ closing ──▶ ended
///     │           │      └──▶ ready ──┬──▶ left ──┬──▶ ended
///     │           │                   │           └──▶ closing ──▶ ended
///     └───────────┴──▶ late ◀─────────┘
///                        ├──▶ ended
///                        └──▶ closing ──▶ ended
/// ```
///
/// The one that waits for it is told once: that the body has ended, that the service is ready, or
/// that its time is over. What the pebble holds, and its next attempt, wait for the end.
///
/// A synchronous machine, as `RunLifecycle` is; `RunLife` joins them.
struct Attempt: Sendable {
  enum Phase: Sendable {
    /// The body has not been called yet.
    /// Can transition to: `running` (it is called), `late` (its time is over before that).
    case waiting

    /// The body is being run. Can transition to: `ready` (a service says so), `late` (its time is
    /// over), `closing` (it has failed, and runs inside of it go on), `ended` (it has ended).
    case running

    /// The body is that of a service, which goes on. Can transition to: `left` (it has ended),
    /// `late` (it was to stop for a restart, and does not).
    case ready

    /// The body of a service that was ready has ended. What it leaves is closed when the service is
    /// called again or is down, and otherwise in the shutdown.
    /// Can transition to: `closing` (it is to be closed now), `ended` (it is not).
    case left

    /// The one that waited has been told that time is over, and the body may go on. What it hands
    /// over meanwhile is kept to be undone.
    /// Can transition to: `closing` (it has ended and leaves something), `ended` (it leaves
    /// nothing).
    case late(handedOver: AnyOutput??)

    /// The body is over. What it leaves is undone and shut down.
    /// Can transition to: `ended` (that is done).
    case closing

    /// Final.
    case ended
  }

  /// What the end of a body leaves to be done.
  enum Rest: Sendable {
    /// Nothing: the attempt is over.
    case nothing
    /// An output is to be undone, and what runs inside is to be shut down.
    case output(AnyOutput?)
    /// What runs inside is to be shut down.
    case runs
    /// It is for the service to say.
    case service
  }

  let call: AttemptCall
  private(set) var phase = Phase.waiting

  /// Whether its time is over, or was.
  private(set) var wasLate = false

  /// Whether it was cancelled from outside.
  private(set) var isCancelled = false

  /// Whether what it was handed is gone, as a service that it restarts with is called again.
  private(set) var recall = Recall.no

  enum Recall {
    case no
    /// It is asked to stop when its turn has come.
    case waits
    case isAsked
  }

  /// Whether its pebble has settled and keeps what it uses until the end.
  private(set) var isHolder = false

  /// Until when others wait for its end, in nanoseconds: as long again as it was given.
  private(set) var lastMoment = UInt64.max

  init(_ call: AttemptCall) {
    self.call = call
  }

  /// One that was awaited in place, and leaves runs behind.
  init(closing call: AttemptCall) {
    self.call = call
    phase = .closing
  }

  var isOver: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Whether its body runs, or is to, and nobody has been told of an end.
  var isGoingOn: Bool {
    switch phase {
    case .waiting, .running: true
    case .ready, .left, .late, .closing, .ended: false
    }
  }

  /// The task of the attempt has its turn.
  ///
  /// - Parameter isAlwaysCalled: Whether the body is called even if its time is over.
  /// - Returns: Whether to call it.
  mutating func bodyCalled(isAlwaysCalled: Bool) -> Bool {
    switch phase {
    case .waiting:
      phase = .running
      return true
    case .late:
      if !isAlwaysCalled { phase = .ended }
      return isAlwaysCalled
    case .running, .ready, .left, .closing, .ended:
      impossible("a body is called")
    }
  }

  /// Its time is over.
  ///
  /// - Returns: Whether the one that waits is to be told.
  mutating func timePassed(limit: Duration, at time: UInt64) -> Bool {
    guard isGoingOn else { return false }
    phase = .late(handedOver: nil)
    wasLate = true
    lastMoment = time.addingSaturated(limit.nanoseconds)
    return true
  }

  /// The body, that of a service, says that it is ready.
  enum Readiness {
    /// The one that waits is to be told.
    case inTime
    /// The output is undone once the body ends.
    case late
    /// The output is to be undone now: the body has ended.
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
    case .left, .closing, .ended:
      return .tooLate
    case .waiting, .ready:
      impossible("a service is ready")
    }
  }

  /// The body has ended.
  ///
  /// - Parameters:
  ///   - result: What it returned or threw.
  ///   - hasRuns: Whether runs inside of it may have to be shut down.
  ///   - time: When it ended.
  /// - Returns: Whether the one that waits is to be told, and what is left to be done.
  mutating func bodyEnded(
    _ result: Result<AnyOutput?, any Error>, hasRuns: Bool, at time: UInt64
  ) -> (isTold: Bool, rest: Rest) {
    switch phase {
    case .running:
      guard case .failure = result, hasRuns else {
        phase = .ended
        return (true, .nothing)
      }
      lastMoment = time.addingSaturated(call.patience)
      phase = .closing
      return (true, .runs)
    case .ready:
      phase = .left
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
    case .waiting, .left, .closing, .ended:
      impossible("a body has ended")
    }
  }

  /// What is left of a service is to be closed now.
  mutating func closes(at time: UInt64) {
    guard case .left = phase else { impossible("what is left of a service is closed") }
    phase = .closing
    lastMoment = time.addingSaturated(call.patience)
  }

  /// What the body has left is undone and shut down; or it is the shutdown's to do that.
  mutating func closed() {
    switch phase {
    case .left, .closing: phase = .ended
    case .waiting, .running, .ready, .late, .ended: impossible("what a body has left is closed")
    }
  }

  /// A service that it restarts with is called again.
  ///
  /// - Returns: Whether its body is to be cancelled, as it is not ready; `nil` if nothing is to be
  ///   done now.
  mutating func recalled() -> Bool? {
    guard recall == .no else { return nil }
    switch phase {
    case .waiting, .running:
      recall = .waits
      return true
    case .ready:
      recall = .waits
      return false
    case .left, .late, .closing, .ended:
      return nil
    }
  }

  /// It is asked to stop, to be called again.
  mutating func stopAsked() {
    recall = .isAsked
  }

  /// It goes on although it was to stop. What it has handed over is undone when it ends.
  mutating func didNotStop(holding output: AnyOutput??, at time: UInt64) {
    guard case .ready = phase else { impossible("a service does not stop") }
    phase = .late(handedOver: output)
    wasLate = true
    recall = .no
    lastMoment = time
  }

  /// The one that waits has been cancelled.
  mutating func cancelled() {
    isCancelled = true
  }

  /// Its pebble has settled.
  ///
  /// - Returns: Whether that keeps what it uses until the end.
  mutating func pebbleSettled() -> Bool {
    isHolder = !isOver
    return isHolder
  }

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("\(happening), which cannot be in the phase \(phase)")
  }
}
