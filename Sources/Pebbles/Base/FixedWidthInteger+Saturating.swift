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

extension Duration {
  /// The sum, or the nearest duration there is.
  package func addingSaturated(_ other: Duration) -> Duration {
    Duration(attoseconds: attoseconds.addingSaturated(other.attoseconds))
  }

  /// The difference, or the nearest duration there is.
  package func subtractingSaturated(_ other: Duration) -> Duration {
    Duration(attoseconds: attoseconds.subtractingSaturated(other.attoseconds))
  }
}
