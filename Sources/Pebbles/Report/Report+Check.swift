extension Report {
  /// The failed pebbles whose failure nothing took care of, in definition order.
  ///
  /// A failure is *handled* when a pebble that ran had it in its condition: an atom that accepts
  /// the failure (`.failed`, `.completed`, `.settled`, or one of these implied by an input), or a
  /// predicate that reads the pebble.
  ///
  /// - Complexity: O(pebbles), and O(atoms above them) for the pebbles that failed.
  public var unhandledFailures: [PebbleRecord] {
    records.filter {
      $0.outcome.isFailed && storage.handling(ofFailure: $0.position) != .certain
    }
  }

  /// Throws if any failure was left unhandled.
  ///
  /// ```swift
  /// let report = try await pond.run()
  /// try report.check()
  /// ```
  ///
  /// - Throws: ``UnhandledFailures`` with all of them.
  public func check() throws(UnhandledFailures) {
    let unhandled = unhandledFailures
    guard unhandled.isEmpty else {
      throw UnhandledFailures(pondName: pondName, records: unhandled)
    }
  }
}

/// Pebbles failed, and no pebble that ran had that in its condition. See ``Report/check()``.
public struct UnhandledFailures: Error, Sendable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The records of the failed pebbles, in definition order. Never empty.
  public let records: [PebbleRecord]

  /// The first hundred failures, a line each. Long names and errors are cut.
  public var description: String {
    let name = pondName.truncated(to: 60).swiftLiteral
    let heading = "failures nobody handled in the pond \(name):"
    return ([heading] + records.lines { "  - \($0.explanation)" }).joined(separator: "\n")
  }
}
