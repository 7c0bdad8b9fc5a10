import Synchronization

/// A clock that stands still until a test advances it, so that times in reports can be compared
/// exactly.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let offset = Mutex(Duration.zero)

  var now: Instant { Instant(offset: offset.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance(by duration: Duration) {
    offset.withLock { $0 += duration }
  }

  /// Tests read this clock; one that slept on it would never wake, so it ends at once and says so.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    throw NobodyAdvances(deadline: deadline)
  }

  struct NobodyAdvances: Error {
    let deadline: Instant
  }
}
