/// The outcome of a pebble in one run. It is set once and never changes.
public enum Outcome: Sendable {
  /// A success: the body returned, its callback reported success, or the service became ready.
  case succeeded

  /// A failure: the body threw an error, its callback reported a failure, or the pebble failed for
  /// another reason, such as a timeout.
  case failed(any Error)

  /// A skip: the body was not called, for the given reason.
  ///
  /// In a run continued from a journal, the body may have been called in an earlier process that
  /// died before the body ended. If so, the body was not called again.
  case skipped(SkipReason)

  /// Whether the pebble succeeded.
  public var isSucceeded: Bool {
    if case .succeeded = self { true } else { false }
  }

  /// Whether the pebble failed.
  public var isFailed: Bool {
    if case .failed = self { true } else { false }
  }

  /// Whether the pebble was skipped.
  public var isSkipped: Bool {
    if case .skipped = self { true } else { false }
  }

  /// Whether the pebble has succeeded or failed.
  public var isCompleted: Bool { !isSkipped }

  /// The error of a failed pebble; `nil` for other outcomes.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The reason why the pebble was skipped; `nil` for other outcomes.
  public var skipReason: SkipReason? {
    if case .skipped(let reason) = self { reason } else { nil }
  }

  /// The outcome alone, without its error or reason.
  package var event: Event {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skipped
    }
  }
}
