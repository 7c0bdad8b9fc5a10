import Foundation

/// A moment, by the clock and by what this process has taken of its processors until then.
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

  /// The processor time of all threads together.
  private static func processTime() -> Duration {
    var time = timespec()
    // Fails only for a clock that there is not.
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// How long something took.
struct Time: Sendable {
  /// Of processors, all threads together: what it costs, however busy the machine is.
  var cpu = Duration.zero

  /// On the clock on the wall.
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
