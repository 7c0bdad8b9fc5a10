import Pebbles

/// Why a run was cancelled, as data.
public struct RecordedCancellation: Sendable, Hashable {
  /// The reason, as a clause: `its deadline passed`.
  public let reason: String

  /// Whether the run was asked to end, by a caller, a signal or the system, and nothing was wrong
  /// with it. See ``RecordedRun/exitCode``.
  public let isOrderly: Bool

  /// Makes a record of a cancellation.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a clause.
  ///   - isOrderly: Whether the run was asked to end, and nothing was wrong with it.
  public init(_ reason: String, isOrderly: Bool) {
    self.reason = reason
    self.isOrderly = isOrderly
  }
}

extension RecordedCancellation: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String { reason }
}
