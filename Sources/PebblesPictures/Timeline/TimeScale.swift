import Pebbles

/// A scale that maps the times of a run to positions in a picture, and chooses the times to mark on
/// its axes.
struct TimeScale {
  let minX: Double
  let maxX: Double

  /// The time span that the picture shows, in nanoseconds; at least 1.
  let total: UInt64

  init(minX: Double, maxX: Double, total: UInt64) {
    self.minX = minX
    self.maxX = maxX
    self.total = max(total, 1)
  }

  func x(at time: UInt64) -> Double {
    minX + (maxX - minX) * Double(min(time, total)) / Double(total)
  }

  /// Returns evenly spaced, round times. The distance between them is 1, 2 or 5 times a power of
  /// ten.
  ///
  /// - Parameter most: The maximum number of times, not counting the start.
  /// - Returns: The times in nanoseconds, with their labels.
  func ticks(atMost most: Int) -> [(time: UInt64, text: String)] {
    let step = Self.step(for: total, atMost: most)
    return (0...total / step).map { ($0 * step, Self.text(of: $0 * step, total: total)) }
  }

  private static func step(for total: UInt64, atMost most: Int) -> UInt64 {
    var power: UInt64 = 1
    while true {
      for factor: UInt64 in [1, 2, 5] {
        let (step, overflow) = power.multipliedReportingOverflow(by: factor)
        if overflow { return total }
        if total / step <= UInt64(most) { return step }
      }
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      if overflow { return total }
      power = next
    }
  }

  /// Returns the label of a time. All labels except `0` use the largest unit that is not longer
  /// than the time span of the picture: `250 ms`, `1.5 s`.
  private static func text(of time: UInt64, total: UInt64) -> String {
    guard time > 0 else { return "0" }
    let units: [(name: String, size: UInt64)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000),
    ]
    guard let unit = units.first(where: { $0.size <= total }) else { return "\(time) ns" }
    let (whole, rest) = time.quotientAndRemainder(dividingBy: unit.size)
    guard rest > 0 else { return "\(whole) \(unit.name)" }
    let digits = "\(unit.size + rest)".dropFirst()
    let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "\(whole).\(digits[...end]) \(unit.name)"
  }
}
