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
