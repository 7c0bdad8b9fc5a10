/// How a pebble ended in one run. Set once, never changed.
public enum Outcome: Sendable {
  /// The body returned.
  case succeeded

  /// The body threw, or its callback reported a failure.
  case failed(any Error)

  /// The body was never called, for this reason.
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

  /// Whether the pebble ran to an end, well or badly.
  public var isCompleted: Bool { !isSkipped }

  /// The error of a failed pebble.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The reason of a skipped pebble.
  public var skipReason: SkipReason? {
    if case .skipped(let reason) = self { reason } else { nil }
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

/// Why a pebble was skipped. ``PebbleRecord/explanation`` says it as a sentence.
public enum SkipReason: Sendable, Hashable {
  /// The condition became false when the named pebble settled; `nil` if it was false from the
  /// start.
  case conditionFalse(decidedBy: String?)

  /// Nothing ran and nothing was ready, and the pebble was waiting, perhaps through others, for
  /// itself. Names the first hundred pebbles it was waiting for.
  case stalled(waitingOn: [String])

  /// In the end only predicates could still have made the condition true, and they did not.
  case predicateNeverHeld

  /// The run was cancelled before the pebble started.
  case cancelled

  /// The pebble was disabled for this run.
  case disabled

  /// The run had no such pebble: it belongs to another pond, or was added after the run started.
  case notInRun
}
