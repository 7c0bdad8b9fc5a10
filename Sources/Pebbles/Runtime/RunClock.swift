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
  private let start: UInt64
  private let wait: @Sendable (Duration) async throws -> Void
  private let restart: @Sendable () -> RunClock

  init(_ clock: some Clock<Duration>) {
    wait = { try await clock.sleep(for: $0) }
    restart = { RunClock(clock) }
    if clock is ContinuousClock, let start = Self.systemTime() {
      elapsed = nil
      self.start = start
    } else {
      let start = clock.now
      let latest = LatestReading()
      elapsed = { latest.raise(to: start.duration(to: clock.now).nanoseconds) }
      self.start = 0
    }
  }

  /// Inlined, which saves a call for each pebble.
  @inline(__always)
  func now() -> UInt64 {
    if let elapsed { return elapsed() }
    return (Self.systemTime() ?? start) &- start
  }

  /// Waits, at most for some ten thousand million years: clocks overflow beyond.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  func sleep(_ duration: Duration) async throws {
    try await wait(min(duration, .seconds(Int64.max / 4)))
  }

  /// The same clock, started now.
  func restarted() -> RunClock { restart() }

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
