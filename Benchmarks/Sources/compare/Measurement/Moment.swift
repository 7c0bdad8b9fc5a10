import Foundation

/// A point in time, according to the wall clock and to the CPU time of this process.
struct Moment: Sendable {
  private let clock: ContinuousClock.Instant
  private let cpu: Duration

  static var now: Moment { Moment() }

  private init() {
    cpu = Self.processTime()
    clock = .now
  }

  static func - (end: Moment, start: Moment) -> Time {
    Time(cpu: end.cpu - start.cpu, wall: end.clock - start.clock)
  }

  /// Returns the CPU time of all threads.
  private static func processTime() -> Duration {
    var time = timespec()
    // Fails only if the clock does not exist.
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// A duration, in CPU time and in wall-clock time.
struct Time: Sendable {
  /// The CPU time of all threads, which does not depend on the load of the machine.
  var cpu = Duration.zero

  /// The wall-clock time.
  var wall = Duration.zero

  static func + (one: Time, other: Time) -> Time {
    Time(cpu: one.cpu + other.cpu, wall: one.wall + other.wall)
  }

  static func - (one: Time, other: Time) -> Time {
    Time(cpu: one.cpu - other.cpu, wall: one.wall - other.wall)
  }

  static func / (time: Time, count: Int) -> Time {
    Time(cpu: time.cpu / count, wall: time.wall / count)
  }
}
