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
