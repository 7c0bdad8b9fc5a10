/// A sequence of waits that grow by a factor up to a maximum.
struct Backoff: Sendable {
  private let initial: Duration
  private let factor: Double
  private let maximum: Duration
  private var jitter: Jitter

  /// The factor raised to the power of the number of waits so far; infinite after an overflow.
  private var growth = 1.0

  init(initial: Duration, factor: Double, maximum: Duration, jitter: Jitter) {
    self.initial = initial
    self.factor = factor
    self.maximum = maximum
    self.jitter = jitter
  }

  /// Returns the next wait, which is never negative, even if the parameters have ``faults``.
  mutating func nextWait() -> Duration {
    // Computed from the initial wait each time. Growing the last wait would add a rounding error at
    // every step, and a wait of a few attoseconds might be rounded down and never grow.
    let ceiling = initial.scaled(by: growth, atMost: maximum)
    growth *= factor
    return jitter.randomized(max(.zero, ceiling))
  }

  /// The faults of the parameters, each worded as a clause that follows "cannot be retried:" or
  /// "cannot be restarted:" in a sentence: `"its maximum wait is 0.0 seconds; …"`.
  var faults: [String] {
    var faults: [String] = []
    if initial <= .zero {
      faults.append(
        "its initial wait is \(initial); it must be longer than zero, "
          + "or use .attempts(_:) to try again at once")
    }
    if !factor.isFinite || factor < 1 {
      faults.append("its backoff factor is \(factor); it must be finite, and 1 or more")
    }
    if maximum <= .zero {
      faults.append("its maximum wait is \(maximum); it must be longer than zero")
    } else if maximum < initial {
      faults.append(
        "its maximum wait of \(maximum) is shorter than its initial wait of \(initial); "
          + "raise one or lower the other")
    }
    return faults
  }
}
