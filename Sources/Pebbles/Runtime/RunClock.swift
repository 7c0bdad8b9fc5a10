import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells the time since the start of a run, in nanoseconds.
///
/// Never goes backwards, even if the clock the run was given does: it stands still then until that
/// has caught up.
struct RunClock: Sendable {
  /// Reads the clock the run was given; `nil` if that is the system's, which is read directly.
  private let elapsed: (@Sendable () -> UInt64)?

  /// What the clock reads at the start.
  private var start: UInt64

  /// Waits until the clock reads so much.
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

  /// The same clock, as if started so much earlier.
  func startedEarlier(by time: UInt64) -> RunClock {
    var clock = self
    clock.start &-= time
    return clock
  }

  /// Inlined, which saves a call for each pebble.
  @inline(__always)
  func now() -> UInt64 {
    if let elapsed { return elapsed() &- start }
    return (Self.systemTime() ?? start) &- start
  }

  /// Waits until a time: not for a duration, as the clock may go on before that begins.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  func sleep(until time: UInt64) async throws {
    let (sum, isBeyond) = start.addingReportingOverflow(time)
    // One that was started earlier may have started before the clock's own zero.
    let isBeforeZero = start > .max / 2
    try await wait(isBeyond == isBeforeZero ? sum : isBeyond ? .max : 0)
  }

  /// The same clock, as if started at a time that it has told.
  func restarted(at time: UInt64) -> RunClock {
    var clock = self
    clock.start &+= time
    return clock
  }

  /// Lets about a microsecond pass without touching memory that others write.
  static func pause() {
    for _ in 0..<32 where systemTime() == nil { _ = ContinuousClock().now }
  }

  /// What `ContinuousClock` tells, without the way through 128-bit attoseconds: that takes longer
  /// than the reading itself, and a run reads its clock once per pebble.
  ///
  /// - Returns: Nanoseconds, or `nil` on systems where this has not been written.
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

/// The latest that a clock has told so far.
private final class LatestReading: Sendable {
  private let time = Atomic<UInt64>(0)

  func raise(to time: UInt64) -> UInt64 {
    self.time.max(time, ordering: .relaxed).newValue
  }
}
