/// The life of one run, from its first runner to the end of its teardown.
///
/// ```
///            ┌─────────┐ a stall is settled
///            ▼         │
///  start ▶ booting ▶ at rest ▶ ending ▶ up ▶ stopping ▶ ended
///                                 │             ▲         ▲
///                                 ├─────────────┘         │ cancelled, with something
///                                 └───────────────────────┘ to tear down, or nothing
/// ```
///
/// This is a synchronous state machine without a lock, a clock, or tasks. Its functions record
/// events, and return the resulting actions in order. `RunLifeLock` guards the state machine, and
/// `RunCore` performs the actions.
struct RunLifecycle: Sendable {
  enum Phase: Sendable {
    /// A run whose runners are at work, or about to start.
    /// Can transition to: `atRest` (no runner finds anything to take).
    case booting

    /// A run without a runner at work. The last runner settles the pebbles that are still waiting.
    /// Can transition to: `booting` (a pebble can start now), `ending` (every pebble has settled).
    case atRest

    /// A run whose end is being reported. The sequence of events does not finish until the end has
    /// been reported, even if the last service ends in the meantime.
    /// Can transition to: `up` (the end has been reported), `stopping` (the run is to be torn
    /// down), `ended` (the run was cancelled, and there is nothing to tear down).
    case ending(RunEnd, isTold: Bool)

    /// A run whose end has been reported. Services may be running.
    /// Can transition to: `stopping` (a shutdown is requested).
    case up(RunEnd)

    /// A run that is being torn down. If its end has not been reported to callers yet, it is
    /// reported after the teardown, or when the run's deadline passes.
    /// Can transition to: `ended` (the teardown is over).
    case stopping(RunEnd, isEndTold: Bool)

    /// The final phase: the run has been torn down.
    case ended(RunEnd)
  }

  /// An action to be performed outside of any lock. Times are in nanoseconds since the start of the
  /// run.
  enum Action: Sendable, Equatable {
    /// The cancellation of the tasks of running bodies.
    case cancelBodies
    /// An order to abandon the running bodies, because they have not ended within the given part of
    /// the shutdown's time limit.
    case giveUpBodies(Duration)
    /// The message to observers that every pebble has settled.
    case announce(RunEnd)
    /// The message to callers that wait for the report.
    case tell(RunEnd)
    /// The teardown of the run, which must be over by the given deadline; `nil` for no deadline.
    case tearDown(RunCancellation?, ShutdownDeadline?)
    /// The message to observers that there will be no more events.
    case finishEvents
    /// The message to callers that wait for the teardown.
    case tellShutdown
    /// A call to `timePassed(to:)` at the given time.
    case wake(at: UInt64)
  }

  /// The deadline of a teardown, and the time limit from which the deadline was computed.
  struct ShutdownDeadline: Sendable, Equatable {
    let time: UInt64
    let limit: Duration

    /// The part of the limit during which the shutdown waits for running bodies. If there may be
    /// something to tear down, this is half of the limit, which leaves the other half for the
    /// teardown. Otherwise, it is the whole limit. The wait ends at `endOfPatience`.
    var patience: Duration { hasTeardown ? limit / 2 : limit }
    var endOfPatience: UInt64 { time - (limit - patience).nanoseconds }

    fileprivate let hasTeardown: Bool

    init(time: UInt64, limit: Duration, hasTeardown: Bool) {
      self.time = time
      self.limit = limit
      self.hasTeardown = hasTeardown
    }
  }

  private(set) var phase = Phase.booting

  /// The reason and time of the first cancellation; `nil` if the run was not cancelled.
  private(set) var cancellation: (reason: RunCancellation, time: UInt64)?

  /// Whether every pebble settled in an earlier process. If so, the run can no longer be cancelled.
  private var hasEndedBefore = false

  /// The first reason given for a teardown; `nil` until a teardown is requested.
  private(set) var shutdownReason: RunCancellation?

  /// The shortest time limit given for the teardown; `nil` for no limit.
  private var shutdownLimit: Duration?

  private(set) var shutdownDeadline: ShutdownDeadline?

  /// The number of services that are starting or running.
  private var serviceCount = 0

  /// The number of inner runs that may have something to shut down.
  private var innerRunCount = 0

  /// Whether there are outputs to tear down. The value is set when every pebble has settled.
  private var hasOutputs = false

  /// Whether the pond has services or teardowns.
  private let hasTeardowns: Bool

  /// The deadline of the run, in nanoseconds; `nil` for no deadline.
  private let deadline: UInt64?

  /// Creates the life of a run that is booting.
  ///
  /// - Parameters:
  ///   - hasTeardowns: Whether the pond has services or teardowns.
  ///   - deadline: The deadline of the run, in nanoseconds.
  ///   - shutdownLimit: The time limit of the teardown.
  init(hasTeardowns: Bool, deadline: UInt64? = nil, shutdownLimit: Duration? = nil) {
    self.hasTeardowns = hasTeardowns
    self.deadline = deadline
    self.shutdownLimit = shutdownLimit
  }

  /// Whether there may be something to tear down.
  private var canBeTornDown: Bool { hasTeardowns || innerRunCount > 0 }

  /// Whether the run may have something to shut down, now or later.
  var isAnythingUp: Bool {
    switch phase {
    case .booting, .atRest, .stopping: true
    case .ending(let end, _), .up(let end):
      end.cancellation != nil || hasOutputs || serviceCount > 0 || innerRunCount > 0
    case .ended: false
    }
  }

  /// Whether every pebble has settled.
  var isOver: Bool {
    switch phase {
    case .booting, .atRest: false
    case .ending, .up, .stopping, .ended: true
    }
  }

  /// Whether the run has been torn down, is being torn down, or will be torn down once every pebble
  /// has settled.
  var isToBeTornDown: Bool {
    switch phase {
    case .booting, .atRest, .ending, .up: shutdownReason != nil || cancellation != nil
    case .stopping, .ended: true
    }
  }

  // MARK: Booting

  /// Records that every pebble settled in an earlier process, and that the earlier process began to
  /// tear the run down.
  mutating func hadEnded() {
    hasEndedBefore = true
  }

  /// Records that the last runner at work has found no pebble to take.
  mutating func cameToRest() {
    switch phase {
    case .booting: phase = .atRest
    case .atRest, .ending, .up, .stopping, .ended: impossible("no runner is left")
    }
  }

  /// Records that a pebble has become ready in a run at rest.
  mutating func resumed() {
    switch phase {
    case .atRest: phase = .booting
    case .booting, .ending, .up, .stopping, .ended: impossible("a pebble became ready at rest")
    }
  }

  /// Records that every pebble has settled.
  ///
  /// - Parameters:
  ///   - time: The time at which the last pebble settled, in nanoseconds.
  ///   - hasOutputs: Whether there are outputs to tear down.
  /// - Returns: The actions to perform. Afterwards, `endTold()` must be called.
  mutating func allSettled(at time: UInt64, hasOutputs: Bool = false) -> [Action] {
    self.hasOutputs = hasOutputs
    switch phase {
    case .atRest: break
    case .booting, .ending, .up, .stopping, .ended: impossible("every pebble has settled")
    }
    let end = RunEnd(
      time: max(time, cancellation?.time ?? 0), cancellation: cancellation?.reason)
    // If there is time, the end of a cancelled run is reported only after its teardown.
    let hasTime = deadline.map { time < $0 } ?? true
    let isTold = !hasTime || shutdownReason == nil && (cancellation == nil || !canBeTornDown)
    phase = .ending(end, isTold: isTold)
    return isTold ? [.announce(end), .tell(end)] : [.announce(end)]
  }

  /// Records that the actions of `allSettled(at:hasOutputs:)` have been performed, or are certain
  /// to be performed before any later action.
  mutating func endTold() -> [Action] {
    switch phase {
    case .ending(let end, let isTold)
    where shutdownReason != nil || end.cancellation != nil && canBeTornDown:
      phase = .stopping(end, isEndTold: isTold)
      let tearDown = tearDown(because: shutdownReason ?? end.cancellation, at: end.time)
      return deadline.map { isTold ? [tearDown] : [tearDown, .wake(at: $0)] } ?? [tearDown]
    case .ending(let end, let isTold) where end.cancellation != nil:
      // There is nothing to tear down. Perhaps the last inner run has just ended.
      phase = .ended(end)
      return ended(end, isTold: isTold)
    case .ending(let end, _):
      phase = .up(end)
      return serviceCount == 0 ? [.finishEvents] : []
    case .booting, .atRest, .up, .stopping, .ended:
      impossible("the end has been told")
    }
  }

  // MARK: Cancelling and stopping

  /// Cancels the run on request. Only the first call has an effect, and only if the run has not
  /// ended.
  mutating func cancelRequested(_ reason: RunCancellation, at time: UInt64) -> [Action] {
    switch phase {
    case .booting, .atRest:
      guard cancellation == nil, !hasEndedBefore else { return [] }
      cancellation = (reason, time)
      return [.cancelBodies]
    case .ending, .up, .stopping, .ended:
      return []
    }
  }

  /// Limits the duration of the teardown, which is measured from the request for the teardown. If
  /// several limits are set before the teardown begins, the shortest one applies.
  mutating func shutdownLimited(to limit: Duration) {
    shutdownLimit = min(limit, shutdownLimit ?? limit)
  }

  /// Begins to tear down the run on request. A run that is still booting is cancelled first.
  mutating func shutdownRequested(_ reason: RunCancellation, at time: UInt64) -> [Action] {
    switch phase {
    case .booting, .atRest:
      return limitShutdown(reason, at: time) + cancelRequested(reason, at: time)
    case .ending:
      _ = limitShutdown(reason, at: time)
      return []
    case .up(let end):
      phase = .stopping(end, isEndTold: true)
      return [tearDown(because: reason, at: time)]
    case .stopping, .ended:
      return []
    }
  }

  /// Records the reason for the teardown, and sets a deadline if the teardown has a time limit.
  ///
  /// - Returns: The action that wakes the lifecycle when the shutdown stops waiting for running
  ///   bodies; an empty array if the deadline has not changed.
  private mutating func limitShutdown(_ reason: RunCancellation, at time: UInt64) -> [Action] {
    shutdownReason = shutdownReason ?? reason
    guard let limit = shutdownLimit else { return [] }
    let end = time.addingSaturated(limit.nanoseconds)
    guard end < shutdownDeadline?.time ?? .max else { return [] }
    let deadline = ShutdownDeadline(time: end, limit: limit, hasTeardown: canBeTornDown)
    shutdownDeadline = deadline
    return [.wake(at: deadline.endOfPatience)]
  }

  private mutating func tearDown(because reason: RunCancellation?, at time: UInt64) -> Action {
    if let reason { _ = limitShutdown(reason, at: time) }
    return .tearDown(shutdownReason, shutdownDeadline)
  }

  /// Records that a time requested by `wake(at:)` has been reached or has passed.
  mutating func timePassed(to time: UInt64) -> [Action] {
    switch phase {
    case .booting, .atRest:
      guard let end = shutdownDeadline, time >= end.endOfPatience else { return [] }
      return [.giveUpBodies(end.patience)]
    case .stopping(let end, isEndTold: false):
      guard let deadline, time >= deadline else { return [] }
      phase = .stopping(end, isEndTold: true)
      return [.tell(end)]
    case .ending, .up, .stopping, .ended:
      return []
    }
  }

  /// Records that the teardown is over.
  mutating func tornDown() -> [Action] {
    switch phase {
    case .stopping(let end, let isEndTold):
      phase = .ended(end)
      return ended(end, isTold: isEndTold)
    case .booting, .atRest, .ending, .up, .ended:
      impossible("the teardown is over")
    }
  }

  /// Returns the last actions of the run. They report the run's end, unless it has already been
  /// reported, and then the end of the teardown. Therefore, the run's report is available to
  /// callers that have waited for the teardown.
  private func ended(_ end: RunEnd, isTold: Bool) -> [Action] {
    [.finishEvents] + (isTold ? [] : [.tell(end)]) + [.tellShutdown]
  }

  // MARK: Services

  /// Records that a service has started.
  mutating func serviceStarted() {
    serviceCount += 1
  }

  /// Records that a service has ended permanently, or has failed before it was ready.
  mutating func serviceEnded() -> [Action] {
    precondition(serviceCount > 0, "more services ended than had started")
    serviceCount -= 1
    switch phase {
    case .booting, .atRest, .ending, .stopping, .ended: return []
    case .up: return serviceCount == 0 ? [.finishEvents] : []
    }
  }

  // MARK: Runs inside

  /// Records that a run has started inside a body of this run.
  mutating func innerRunStarted() {
    innerRunCount += 1
  }

  /// Records that an inner run no longer has to be shut down with this run.
  mutating func innerRunEnded() {
    precondition(innerRunCount > 0, "more inner runs ended than had started")
    innerRunCount -= 1
  }

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("\(happening), which cannot happen in the phase \(phase)")
  }
}
