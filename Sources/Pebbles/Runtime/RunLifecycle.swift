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
/// A synchronous machine without lock, clock or task: what has happened comes in, in the past
/// tense, and what is to be done about it comes out, in order. `RunLifeLock` guards it, and
/// `RunCore` does what it says.
struct RunLifecycle: Sendable {
  enum Phase: Sendable {
    /// Runners are at work, or on their way.
    /// Can transition to: `atRest` (no runner finds anything to take).
    case booting

    /// No runner is at work; the last one settles what still waits.
    /// Can transition to: `booting` (that let a pebble start), `ending` (every pebble has settled).
    case atRest

    /// The end is known, and is being told. A service that ends meanwhile does not end the events
    /// before that.
    /// Can transition to: `up` (it has been told), `stopping` (the same, where the run is to be
    /// torn down), `ended` (the same, where it was cancelled and there is nothing to tear down).
    case ending(RunEnd, isTold: Bool)

    /// The end has been told. Services may be running.
    /// Can transition to: `stopping` (a shutdown is asked for).
    case up(RunEnd)

    /// What has come up is torn down. The end is told afterwards if it has not been told before,
    /// or once the deadline of the run passes.
    /// Can transition to: `ended` (that is done).
    case stopping(RunEnd, isEndTold: Bool)

    /// Final: the run has been torn down.
    case ended(RunEnd)
  }

  /// What is left to do, in this order, outside of any lock. Times are nanoseconds since the start
  /// of the run.
  enum Action: Sendable, Equatable {
    /// Cancel the tasks of running bodies.
    case cancelBodies
    /// Wait no longer for running bodies: the shutdown was to take no longer than that.
    case giveUpBodies(Duration)
    /// Tell observers that every pebble has settled.
    case announce(RunEnd)
    /// Tell those who wait for the report.
    case tell(RunEnd)
    /// Tear down what has come up, until then.
    case tearDown(RunCancellation?, ShutdownDeadline?)
    /// Tell observers that there will be nothing more.
    case finishEvents
    /// Tell those who wait for the teardown.
    case tellShutdown
    /// Say so when this time has come.
    case wake(at: UInt64)
  }

  /// When a teardown is to be over, and how long it was allowed to take.
  struct ShutdownDeadline: Sendable, Equatable {
    let time: UInt64
    let limit: Duration

    /// How long bodies of the boot are waited for, and until when: half of that, lest nothing be
    /// left for what is torn down after them; all of it if there is nothing to tear down.
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

  /// Why and when the run was cancelled; the first reason counts.
  private(set) var cancellation: (reason: RunCancellation, time: UInt64)?

  /// Why the run is torn down, from when that is asked for on; the first reason counts.
  private(set) var shutdownReason: RunCancellation?

  /// The shortest limit that was given for a teardown that has not been asked for.
  private var shutdownLimit: Duration?

  private(set) var shutdownDeadline: ShutdownDeadline?

  /// How many services are starting or running.
  private var serviceCount = 0

  /// How many runs inside of this one may have something up.
  private var innerRunCount = 0

  /// Whether there are outputs to be torn down; known once every pebble has settled.
  private var hasOutputs = false

  /// Whether the pond has services or teardowns.
  private let hasTeardowns: Bool

  /// When the run is to be over, in nanoseconds.
  private let deadline: UInt64?

  /// - Parameters:
  ///   - hasTeardowns: Whether the pond has services or teardowns.
  ///   - deadline: When the run is to be over, in nanoseconds.
  init(hasTeardowns: Bool, deadline: UInt64? = nil) {
    self.hasTeardowns = hasTeardowns
    self.deadline = deadline
  }

  /// Whether there may be something to tear down.
  private var canBeTornDown: Bool { hasTeardowns || innerRunCount > 0 }

  /// Whether something of the run may be up, or come up.
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

  /// Whether the run is torn down, or will be once every pebble has settled.
  var isToBeTornDown: Bool {
    switch phase {
    case .booting, .atRest, .ending, .up: shutdownReason != nil || cancellation != nil
    case .stopping, .ended: true
    }
  }

  // MARK: Booting

  /// No runner has found anything to take.
  mutating func cameToRest() {
    switch phase {
    case .booting: phase = .atRest
    case .atRest, .ending, .up, .stopping, .ended: impossible("no runner is left")
    }
  }

  /// What was settled at rest has let a pebble start.
  mutating func resumed() {
    switch phase {
    case .atRest: phase = .booting
    case .booting, .ending, .up, .stopping, .ended: impossible("a pebble became ready at rest")
    }
  }

  /// Every pebble has settled.
  ///
  /// - Parameters:
  ///   - time: When that was.
  ///   - hasOutputs: Whether there are outputs to be torn down.
  /// - Returns: What to do; `endTold()` is next.
  mutating func allSettled(at time: UInt64, hasOutputs: Bool = false) -> [Action] {
    self.hasOutputs = hasOutputs
    switch phase {
    case .atRest: break
    case .booting, .ending, .up, .stopping, .ended: impossible("every pebble has settled")
    }
    let end = RunEnd(
      time: max(time, cancellation?.time ?? 0), cancellation: cancellation?.reason)
    // Who is told of the end of a cancelled run is to find nothing of it left, if there is time.
    let hasTime = deadline.map { time < $0 } ?? true
    let isTold = !hasTime || shutdownReason == nil && (cancellation == nil || !canBeTornDown)
    phase = .ending(end, isTold: isTold)
    return isTold ? [.announce(end), .tell(end)] : [.announce(end)]
  }

  /// What `allSettled(at:)` said has been done.
  mutating func endTold() -> [Action] {
    switch phase {
    case .ending(let end, let isTold)
    where shutdownReason != nil || end.cancellation != nil && canBeTornDown:
      phase = .stopping(end, isEndTold: isTold)
      let tearDown = tearDown(because: shutdownReason ?? end.cancellation, at: end.time)
      return deadline.map { isTold ? [tearDown] : [tearDown, .wake(at: $0)] } ?? [tearDown]
    case .ending(let end, let isTold) where end.cancellation != nil:
      // Nothing is to be torn down, or not any more: the last run inside may just have ended.
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

  /// A caller wants the run to end early. Has an effect once, and only before the end.
  mutating func cancelRequested(_ reason: RunCancellation, at time: UInt64) -> [Action] {
    switch phase {
    case .booting, .atRest:
      guard cancellation == nil else { return [] }
      cancellation = (reason, time)
      return [.cancelBodies]
    case .ending, .up, .stopping, .ended:
      return []
    }
  }

  /// A caller limits the time of a teardown, from when it is asked for on. The shortest limit
  /// counts that comes before the teardown begins.
  mutating func shutdownLimited(to limit: Duration) {
    shutdownLimit = min(limit, shutdownLimit ?? limit)
  }

  /// A caller wants the run to be torn down; one that is still booting is cancelled for that.
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

  /// - Returns: When to look whether the bodies have ended.
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

  /// A time has come that `wake(at:)` was about, or a later one.
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

  /// The teardown is over.
  mutating func tornDown() -> [Action] {
    switch phase {
    case .stopping(let end, let isEndTold):
      phase = .ended(end)
      return ended(end, isTold: isEndTold)
    case .booting, .atRest, .ending, .up, .ended:
      impossible("the teardown is over")
    }
  }

  /// The end first: who is told of the teardown is to find all of the run told.
  private func ended(_ end: RunEnd, isTold: Bool) -> [Action] {
    [.finishEvents] + (isTold ? [] : [.tell(end)]) + [.tellShutdown]
  }

  // MARK: Services

  /// The task of a service has been made.
  mutating func serviceStarted() {
    serviceCount += 1
  }

  /// A service has ended, or has not come up.
  mutating func serviceEnded() -> [Action] {
    precondition(serviceCount > 0, "more services ended than had started")
    serviceCount -= 1
    switch phase {
    case .booting, .atRest, .ending, .stopping, .ended: return []
    case .up: return serviceCount == 0 ? [.finishEvents] : []
    }
  }

  // MARK: Runs inside

  /// A run has started inside of a body of this one.
  mutating func innerRunStarted() {
    innerRunCount += 1
  }

  /// Nothing is up of a run inside of this one any more.
  mutating func innerRunEnded() {
    precondition(innerRunCount > 0, "more inner runs ended than had started")
    innerRunCount -= 1
  }

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("\(happening), which cannot be in the phase \(phase)")
  }
}
