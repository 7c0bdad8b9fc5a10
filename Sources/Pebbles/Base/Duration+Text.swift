extension Duration {
  /// The duration rounded to three digits, with a suitable unit, such as `12.3 ms`.
  ///
  /// ```swift
  /// logger.info("booted in \(report.makespan.brief)")
  /// ```
  ///
  /// Reports and events show times in this format. The units range from `ns` to `s`. Times of 1,000
  /// seconds or more are rounded to whole seconds, so an hour is `3600 s`. Negative durations,
  /// which do not occur in a run, are shown as zero.
  public var brief: String {
    let units: [(name: String, size: UInt64)] = [
      ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ]
    let nanoseconds = min(self.nanoseconds, .max - 1_000_000_000)
    guard nanoseconds >= 1_000 else { return "\(nanoseconds) ns" }
    var whole: UInt64 = 0
    for unit in units {
      let hundredths = nanoseconds.dividedRounded(by: unit.size / 100)
      if hundredths < 1_000 { return "\(hundredths.withPoint(before: 2)) \(unit.name)" }
      let tenths = nanoseconds.dividedRounded(by: unit.size / 10)
      if tenths < 1_000 { return "\(tenths.withPoint(before: 1)) \(unit.name)" }
      whole = nanoseconds.dividedRounded(by: unit.size)
      if whole < 1_000 { return "\(whole) \(unit.name)" }
    }
    return "\(whole) s"
  }
}

extension UInt64 {
  /// Returns the number divided by `step` and rounded to the nearest integer. Halves are rounded
  /// up.
  fileprivate func dividedRounded(by step: UInt64) -> UInt64 { (self + step / 2) / step }

  fileprivate func withPoint(before digits: Int) -> String {
    let text = "\(self)"
    return "\(text.dropLast(digits)).\(text.suffix(digits))"
  }
}
