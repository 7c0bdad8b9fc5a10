import Pebbles

/// The result of one call to a body outside of any run; see
/// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)``.
public enum AttemptResult: Sendable {
  /// A success. The associated values are the output of the body, as bytes, and the cases that hold
  /// for the pebble. The bytes are `nil` if there is no output to pass on.
  case succeeded([UInt8]?, cases: [PebbleCase] = [])

  /// A failure of the call. The associated value contains the error.
  case failed(AttemptFailure)

  /// The cases that hold for the pebble, to pass to ``Scheduler/settle(_:succeeded:cases:at:)``.
  /// The process that called the body determines the cases from the output or the final error.
  public var cases: [PebbleCase] {
    switch self {
    case .succeeded(_, let cases): cases
    case .failed(let failure): failure.cases
    }
  }

  /// The error of the body; `nil` if the body succeeded.
  public var error: (any Error)? {
    if case .failed(let failure) = self { failure.error } else { nil }
  }
}

/// A failed call to a body outside of any run, and the decision whether to call the body again.
public struct AttemptFailure: Sendable {
  /// The error that the body threw; `PebbleTimeout` if the body did not end in time;
  /// ``AttemptError`` if an input could not be decoded or the output could not be encoded;
  /// `CancellationError` if the calling task was cancelled before the body was called;
  /// `BlockingThreadShortage` if there was no thread for the body.
  public let error: any Error

  /// The time to wait before the next attempt, as determined by the pebble's `RetryPolicy`; `nil`
  /// if the pebble has failed permanently, or if the calling task was cancelled.
  public let retryAfter: Duration?

  /// Whether the body is still running. This is `true` if the body did not end in time and ignores
  /// cancellation. There is then no next attempt, because two calls to the body would overlap.
  public let isStillRunning: Bool

  /// The cases that hold for the pebble; empty if there is a next attempt.
  public let cases: [PebbleCase]

  init(_ error: any Error, _ failure: SingleCall.Failure) {
    self.error = error
    retryAfter = failure.retryDelay
    isStillRunning = failure.isStillRunning
    cases = failure.cases
  }
}
