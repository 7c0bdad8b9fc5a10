import Pebbles

/// How a pebble ended in one run, as data.
public enum RecordedOutcome: Sendable, Hashable {
  /// The body returned.
  case succeeded

  /// The body threw, or its callback reported a failure; with what the error said.
  case failed(String)

  /// The body was never called, for this reason.
  case skipped(SkipReason)

  /// Whether the body was called.
  public var isCompleted: Bool {
    switch self {
    case .succeeded, .failed: true
    case .skipped: false
    }
  }

  /// The outcome alone, without error and reason.
  package var event: Event {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skipped
    }
  }
}

extension Event {
  /// What the way a pebble ended is called where nothing else is said of it.
  var word: String {
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

  /// What the error of a failed pebble said.
  public var error: String? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The reason of a skipped pebble.
  public var skipReason: SkipReason? {
    if case .skipped(let reason) = self { reason } else { nil }
  }
}
