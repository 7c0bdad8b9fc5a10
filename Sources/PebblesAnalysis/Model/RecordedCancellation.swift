import Pebbles

/// The cancellation of a run, as data.
public struct RecordedCancellation: Sendable, Hashable {
  /// The reason, as a clause: `its deadline passed`.
  public let reason: String

  /// Whether the run was cancelled because a caller, a signal or the system asked it to end, and
  /// not because of a problem. See ``RecordedRun/exitCode``.
  public let isOrderly: Bool

  /// Creates a record of a cancellation.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a clause.
  ///   - isOrderly: Whether the run was cancelled because it was asked to end, and not because of a
  ///     problem.
  public init(_ reason: String, isOrderly: Bool) {
    self.reason = reason
    self.isOrderly = isOrderly
  }
}

extension RecordedCancellation: CustomStringConvertible {
  /// The reason, as a clause.
  public var description: String { reason }
}
