/// Tells the time since the start of a run, in nanoseconds.
struct RunClock: Sendable {
  let now: @Sendable () -> UInt64

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now).nanoseconds }
  }
}

extension Duration {
  /// Whole nanoseconds; 0 for negative durations, `UInt64.max` for ones beyond 584 years.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return overflow || carry ? .max : sum
  }
}

extension UInt64 {
  /// The number as a duration in nanoseconds.
  var asNanoseconds: Duration {
    .seconds(Int64(self / 1_000_000_000)) + .nanoseconds(Int64(self % 1_000_000_000))
  }
}
