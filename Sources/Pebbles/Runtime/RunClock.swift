import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A clock that measures the time since the start of a run, in nanoseconds.
///
/// The clock never goes backwards. If the underlying clock does, this clock stands still until the
/// other has caught up.
struct RunClock: Sendable {
  /// A function that reads the clock that was passed to the initializer; `nil` for the system
  /// clock, which is read directly.
  private let elapsed: (@Sendable () -> UInt64)?

  /// The time that the underlying clock showed when the run started.
  private var start: UInt64

  /// A function that waits until the underlying clock shows a given time.
  private let wait: @Sendable (UInt64) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    if clock is ContinuousClock, let start = Self.systemTime() {
      elapsed = nil
      wait = { time in
        let now = Self.systemTime() ?? time
        try await clock.sleep(for: time.subtractingSaturated(now).asNanoseconds)
      }
      self.start = start
    } else {
      let start = clock.now
      let latest = LatestReading()
      elapsed = { latest.raise(to: start.duration(to: clock.now).nanoseconds) }
      wait = {
        try await clock.sleep(until: start.advanced(by: $0.asNanoseconds), tolerance: nil)
      }
      self.start = 0
    }
  }

  /// Returns a copy of the clock that behaves as if it had been started `time` nanoseconds earlier.
  func startedEarlier(by time: UInt64) -> RunClock {
    var clock = self
    clock.start &-= time
    return clock
  }

  /// Returns the time since the start, in nanoseconds. Inlining the method saves a call for each
  /// pebble.
  @inline(__always)
  func now() -> UInt64 {
    if let elapsed { return elapsed() &- start }
    return (Self.systemTime() ?? start) &- start
  }

  /// Waits until a given time. The argument is not a duration, because time may pass before the
  /// wait begins.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until time: UInt64) async throws {
    let (sum, isBeyond) = start.addingReportingOverflow(time)
    // After `startedEarlier(by:)`, the start may be before the zero of the underlying clock.
    let isBeforeZero = start > .max / 2
    try await wait(isBeyond == isBeforeZero ? sum : isBeyond ? .max : 0)
  }

  /// Returns a copy of the clock that behaves as if it had been started when this clock showed the
  /// given time.
  func restarted(at time: UInt64) -> RunClock {
    var clock = self
    clock.start &+= time
    return clock
  }

  /// Spins for about a microsecond without accessing memory that other threads write.
  static func pause() {
    for _ in 0..<32 where systemTime() == nil { _ = ContinuousClock().now }
  }

  /// Returns the time on `ContinuousClock` without converting it through 128-bit attoseconds. The
  /// conversion takes longer than reading the clock, and a run reads its clock for every pebble.
  ///
  /// - Returns: The time in nanoseconds; `nil` on systems for which this function is not
  ///   implemented.
  @inline(__always)
  private static func systemTime() -> UInt64? {
    #if os(Linux) && (canImport(Glibc) || canImport(Musl))
    var time = timespec()
    guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
    return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(time.tv_nsec))
    #else
    return nil
    #endif
  }
}

/// A record of the latest time that a clock has shown so far.
private final class LatestReading: Sendable {
  private let time = Atomic<UInt64>(0)

  func raise(to time: UInt64) -> UInt64 {
    self.time.max(time, ordering: .relaxed).newValue
  }
}
