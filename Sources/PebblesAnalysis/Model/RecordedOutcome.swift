import Pebbles

/// The outcome of a pebble in one run, as data.
public enum RecordedOutcome: Sendable, Hashable {
  /// A success. For example, the body returned, or the service became ready.
  case succeeded

  /// A failure. For example, the body threw an error, its callback reported a failure, or the
  /// pebble timed out. The associated value is the error message.
  case failed(String)

  /// A skip. The body was not called, or was not called again after a crash. The associated value
  /// is the reason.
  case skipped(SkipReason)

  /// Whether the pebble succeeded or failed.
  public var isCompleted: Bool {
    switch self {
    case .succeeded, .failed: true
    case .skipped: false
    }
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

extension Event {
  /// The name of the outcome, without further details.
  package var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}

extension RecordedOutcome {
  /// Whether the pebble succeeded.
  public var isSucceeded: Bool { self == .succeeded }

  /// Whether the pebble failed.
  public var isFailed: Bool { error != nil }

  /// Whether the pebble was skipped.
  public var isSkipped: Bool { skipReason != nil }

  /// The error message of a failed pebble; `nil` for other pebbles.
  public var error: String? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The reason why the pebble was skipped; `nil` if it was not skipped.
  public var skipReason: SkipReason? {
    if case .skipped(let reason) = self { reason } else { nil }
  }
}
