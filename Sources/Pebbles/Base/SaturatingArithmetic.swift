extension Duration {
  /// The duration in whole nanoseconds: 0 if it is negative, and `UInt64.max` if it exceeds 584
  /// years.
  package var nanoseconds: UInt64 {
    // Not `components`, which traps beyond 2⁶³ seconds.
    UInt64(clamping: attoseconds / 1_000_000_000)
  }
}

extension UInt64 {
  /// The number as a duration in nanoseconds.
  package var asNanoseconds: Duration {
    .seconds(Int64(self / 1_000_000_000)) + .nanoseconds(Int64(self % 1_000_000_000))
  }
}

extension Duration {
  /// Returns the duration multiplied by `factor` and rounded down to a whole attosecond, but at
  /// most `limit`. The result is `limit` if `factor` is negative, not a number, or at least 2¹²⁷.
  ///
  /// The standard library's multiplication by a `Double` is only as precise as a `Double`, and
  /// traps on overflow.
  package func scaled(by factor: Double, atMost limit: Duration) -> Duration {
    guard factor >= 0, factor < 0x1p127 else { return limit }
    let whole = factor.rounded(.down)
    let rest = portion(UInt64((factor - whole) * 0x1p64))
    let (product, overflow) = attoseconds.multipliedReportingOverflow(by: Int128(whole))
    let (sum, carry) = product.addingReportingOverflow(rest.attoseconds)
    return overflow || carry ? limit : min(limit, Duration(attoseconds: sum))
  }

  /// Returns the duration multiplied by `parts` / 2⁶⁴ and rounded down to a whole attosecond.
  func portion(_ parts: UInt64) -> Duration {
    let (high, low) = attoseconds.multipliedFullWidth(by: Int128(parts))
    return Duration(attoseconds: high << 64 | Int128(low >> 64))
  }
}

extension Duration {
  /// Returns the sum, or the nearest representable duration if the sum overflows.
  package func addingSaturated(_ other: Duration) -> Duration {
    Duration(attoseconds: attoseconds.addingSaturated(other.attoseconds))
  }

  /// Returns the difference, or the nearest representable duration if the difference overflows.
  package func subtractingSaturated(_ other: Duration) -> Duration {
    Duration(attoseconds: attoseconds.subtractingSaturated(other.attoseconds))
  }
}

extension FixedWidthInteger {
  /// Returns the sum, or the nearest representable number if the sum overflows.
  @inlinable
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, isOverflow) = addingReportingOverflow(other)
    guard isOverflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// Returns the difference, or the nearest representable number if the difference overflows.
  @inlinable
  package func subtractingSaturated(_ other: Self) -> Self {
    let (difference, isOverflow) = subtractingReportingOverflow(other)
    guard isOverflow else { return difference }
    return other < 0 ? .max : .min
  }
}
