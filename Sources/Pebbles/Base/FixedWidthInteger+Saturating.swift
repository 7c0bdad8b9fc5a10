extension FixedWidthInteger {
  /// The sum, or the nearest number there is if that is beyond the type.
  @inlinable
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, isOverflow) = addingReportingOverflow(other)
    guard isOverflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The difference, or the nearest number there is if that is beyond the type.
  @inlinable
  package func subtractingSaturated(_ other: Self) -> Self {
    let (difference, isOverflow) = subtractingReportingOverflow(other)
    guard isOverflow else { return difference }
    return other < 0 ? .max : .min
  }
}
