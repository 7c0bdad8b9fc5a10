import Synchronization

/// A clock that stands still until a test advances it, so that times in reports can be compared
/// exactly.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package let offset: Duration

    package init(offset: Duration) {
      self.offset = offset
    }

    package func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let offset = Mutex(Duration.zero)

  package init() {}

  package var now: Instant { Instant(offset: offset.withLock { $0 }) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func advance(by duration: Duration) {
    offset.withLock { $0 += duration }
  }

  /// Throws an error immediately, because this clock is only read: a task that slept on it would
  /// never wake.
  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    throw NobodyAdvances(deadline: deadline)
  }

  struct NobodyAdvances: Error {
    let deadline: Instant
  }
}
