import Pebbles

/// What came of one call of a body outside of any run; see
/// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)``.
public enum AttemptResult: Sendable {
  /// The body returned; with its output as bytes, or `nil` if it has none, and the cases of the
  /// pebble that hold.
  case succeeded([UInt8]?, cases: [PebbleCase] = [])

  /// The body failed, this time.
  case failed(AttemptFailure)

  /// The cases of the pebble that hold, for ``Scheduler/settle(_:succeeded:cases:at:)``: asked
  /// where the body was called, of its output or its final error.
  public var cases: [PebbleCase] {
    switch self {
    case .succeeded(_, let cases): cases
    case .failed(let failure): failure.cases
    }
  }

  /// What the body failed with; `nil` if it succeeded.
  public var error: (any Error)? {
    if case .failed(let failure) = self { failure.error } else { nil }
  }
}

/// A failed call of a body outside of any run, and what is to be done about it.
public struct AttemptFailure: Sendable {
  /// What it failed with: what the body threw, `PebbleTimeout` if it did not end in time,
  /// ``AttemptError`` if an input could not be decoded or its output not encoded.
  public let error: any Error

  /// How long to wait before the next attempt, by the `RetryPolicy` of the pebble; `nil` for no
  /// other attempt: the pebble has failed for good.
  public let retryAfter: Duration?

  /// Whether the body goes on all the same: it did not end in time and ignores cancellation. There
  /// is no other attempt then, as it would overlap this one.
  public let isStillRunning: Bool

  /// The cases of the pebble that hold; none if there is another attempt.
  public let cases: [PebbleCase]

  init(_ error: any Error, _ failure: SingleCall.Failure? = nil) {
    self.error = error
    retryAfter = failure?.retryDelay
    isStillRunning = failure?.isStillRunning ?? false
    cases = failure?.cases ?? []
  }
}
