import Pebbles

/// The outcome of a pebble in a scenario. Skips are distinguished by their reasons; see
/// `SkipReason`. Later versions may add outcomes.
@nonexhaustive public enum ScenarioOutcome: Sendable {
  /// A success: for example, the body returns.
  case succeeded

  /// A failure: the body throws, times out, or reports a failure.
  case failed

  /// A skip because the condition of the pebble is false.
  case skipped

  /// A skip in a stall: nothing is running, nothing is ready, and the pebble waits for itself,
  /// directly or through others.
  case stalled

  /// A skip because the pebble is disabled, and therefore takes no part in the run.
  case disabled

  /// A skip because the run is limited to other pebbles, which do not need this pebble.
  case notAskedFor

  /// A skip because an unhandled failure cancels the run before the pebble starts.
  case cancelled

  /// Whether the outcome is a success or a failure, not a skip.
  public var isCompleted: Bool { self == .succeeded || self == .failed }

  /// Whether the pebble is skipped, for any reason.
  public var isSkipped: Bool { !isCompleted }
}

extension ScenarioOutcome {
  /// Creates the outcome of a pebble in a run that was simulated to its end or to its cancellation.
  init(_ status: PebbleStatus) {
    switch status {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .skippedByCondition: self = .skipped
    case .skippedByStall: self = .stalled
    case .skippedAsDisabled: self = .disabled
    case .skippedAsNotAskedFor: self = .notAskedFor
    case .skippedByCancellation: self = .cancelled
    case .waiting, .running, .skippedByHolder:
      preconditionFailure("a pebble was left over in a simulation: \(status)")
    }
  }

  var status: PebbleStatus {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skippedByCondition
    case .stalled: .skippedByStall
    case .disabled: .skippedAsDisabled
    case .notAskedFor: .skippedAsNotAskedFor
    case .cancelled: .skippedByCancellation
    }
  }
}

extension ScenarioOutcome: CustomStringConvertible {
  /// The outcome, as a clause.
  public var description: String {
    switch self {
    case .succeeded: "succeeds"
    case .failed: "fails"
    case .skipped: "is skipped"
    case .stalled: "is skipped: it waits for itself"
    case .disabled: "is disabled"
    case .notAskedFor: "is not asked for"
    case .cancelled: "is cancelled before it starts"
    }
  }
}
