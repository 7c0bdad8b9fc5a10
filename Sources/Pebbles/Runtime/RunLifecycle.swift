/// The life of one run, from its first runner to the end of its teardown.
///
/// ```
///            ┌─────────┐ a stall is settled
///            ▼         │
///  start ▶ booting ▶ at rest ▶ ending ▶ up ▶ stopping ▶ ended
///                                 │             ▲
///                                 └─────────────┘ cancelled, with something to tear down
/// ```
///
/// A synchronous machine without lock, clock or task: what has happened comes in, in the past
/// tense, and what is to be done about it comes out, in order. `RunLifecycleLock` guards it, and
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
    /// torn down).
    case ending(RunEnd, isTold: Bool)

    /// The end has been told. Services may be running.
    /// Can transition to: `stopping` (a shutdown is asked for).
    case up(RunEnd)

    /// What has come up is torn down. The end is told afterwards if it has not been told before.
    /// Can transition to: `ended` (that is done).
    case stopping(RunEnd, isEndTold: Bool)

    /// Final: the run has been torn down.
    case ended(RunEnd)
  }

  /// What is left to do, in this order, outside of any lock.
  enum Action: Sendable, Equatable {
    /// Cancel the tasks of running bodies.
    case cancelBodies
    /// Tell observers that every pebble has settled.
    case announce(RunEnd)
    /// Tell those who wait for the report.
    case tell(RunEnd)
    /// Tear down what has come up, within this time.
    case tearDown(within: Duration?)
    /// Tell observers that there will be nothing more.
    case finishEvents
    /// Tell those who wait for the teardown.
    case tellShutdown
  }

  private(set) var phase = Phase.booting

  /// Why and when the run was cancelled; the first reason counts.
  private(set) var cancellation: (reason: RunCancellation, time: UInt64)?

  /// The shortest limit that was given for a teardown that has not begun.
  private(set) var shutdownLimit: Duration?

  /// Whether a teardown follows the end of the boot, whatever that has come to.
  private var isShutdownAwaited = false

  /// How many services are starting or running.
  private var serviceCount = 0
  private let canBeTornDown: Bool

  /// - Parameter canBeTornDown: Whether the pond has services or teardowns.
  init(canBeTornDown: Bool) {
    self.canBeTornDown = canBeTornDown
  }

  /// Whether every pebble has settled.
  var isOver: Bool {
    switch phase {
    case .booting, .atRest: false
    case .ending, .up, .stopping, .ended: true
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
  mutating func allSettled(at time: UInt64) -> [Action] {
    switch phase {
    case .atRest: break
    case .booting, .ending, .up, .stopping, .ended: impossible("every pebble has settled")
    }
    let end = RunEnd(
      time: max(time, cancellation?.time ?? 0), cancellation: cancellation?.reason)
    // Who is told of the end of a cancelled run is to find nothing of it left.
    let isTold = !isShutdownAwaited && (cancellation == nil || !canBeTornDown)
    phase = .ending(end, isTold: isTold)
    return isTold ? [.announce(end), .tell(end)] : [.announce(end)]
  }

  /// What `allSettled(at:)` said has been done.
  mutating func endTold() -> [Action] {
    switch phase {
    case .ending(let end, let isTold) where isShutdownAwaited || !isTold:
      phase = .stopping(end, isEndTold: isTold)
      return [.tearDown(within: shutdownLimit)]
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

  /// A caller limits the time of a teardown. The shortest limit counts that comes before it begins.
  mutating func shutdownLimited(to limit: Duration) {
    shutdownLimit = min(limit, shutdownLimit ?? limit)
  }

  /// A caller wants the run to be torn down; one that is still booting is cancelled for that.
  mutating func shutdownRequested(_ reason: RunCancellation, at time: UInt64) -> [Action] {
    switch phase {
    case .booting, .atRest:
      isShutdownAwaited = true
      return cancelRequested(reason, at: time)
    case .ending:
      isShutdownAwaited = true
      return []
    case .up(let end):
      phase = .stopping(end, isEndTold: true)
      return [.tearDown(within: shutdownLimit)]
    case .stopping, .ended:
      return []
    }
  }

  /// The teardown is over.
  mutating func tornDown() -> [Action] {
    switch phase {
    case .stopping(let end, let isEndTold):
      phase = .ended(end)
      // The end first: who is told of the teardown is to find all of the run told.
      return [.finishEvents] + (isEndTold ? [] : [.tell(end)]) + [.tellShutdown]
    case .booting, .atRest, .ending, .up, .ended:
      impossible("the teardown is over")
    }
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

  private func impossible(_ happening: String) -> Never {
    preconditionFailure("\(happening), which cannot be in the phase \(phase)")
  }
}
