/// The median and the range of some measurements.
struct Spread: Codable, Sendable {
  let median: Double
  let minimum: Double
  let maximum: Double

  /// Creates the spread of some values. Returns `nil` if the array is empty.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    minimum = first
    maximum = last
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

extension Spread {
  /// Creates the spread of the ratios between two series of samples, one ratio per round. Each
  /// ratio is also divided by `scale`.
  init?(
    of dividend: [Phases], over divisor: [Phases], scale: Double = 1,
    _ part: (Phases) -> Duration
  ) {
    self.init(
      zip(dividend, divisor).map {
        part($0).nanoseconds / scale / max(part($1).nanoseconds, 1)
      })
  }
}

extension Duration {
  var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }

  var seconds: Double { nanoseconds / 1e9 }
}
