import Pebbles

/// The cancellation of a run, as data.
public struct RecordedCancellation: Sendable, Hashable {
  /// The reason, as a clause: `its deadline passed`.
  public let reason: String

  /// Whether a caller, a signal or the system asked the run to end, and the run had no problem. See
  /// ``RecordedRun/exitCode``.
  public let isOrderly: Bool

  /// Creates a record of a cancellation.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a clause.
  ///   - isOrderly: Whether the run was asked to end, and had no problem.
  public init(_ reason: String, isOrderly: Bool) {
    self.reason = reason
    self.isOrderly = isOrderly
  }
}

extension RecordedCancellation: CustomStringConvertible {
  /// The reason, as a clause.
  public var description: String { reason }
}
