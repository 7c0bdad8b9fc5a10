/// What came of one call of a body outside of any run; see
/// ``Pond/attempt(_:number:of:inputs:coder:clock:)``.
public enum AttemptResult: Sendable {
  /// The body returned; with its output as bytes, or `nil` if it has none.
  case succeeded([UInt8]?)

  /// The body failed, this time.
  case failed(AttemptFailure)

  /// What the body failed with; `nil` if it succeeded.
  public var error: (any Error)? {
    if case .failed(let failure) = self { failure.error } else { nil }
  }
}

/// A failed call of a body outside of any run, and what is to be done about it.
public struct AttemptFailure: Sendable {
  /// What it failed with: what the body threw, ``PebbleTimeout`` if it did not end in time,
  /// ``AttemptError`` if an input could not be decoded or its output not encoded.
  public let error: any Error

  /// How long to wait before the next attempt, by the ``RetryPolicy`` of the pebble; `nil` for no
  /// other attempt: the pebble has failed for good.
  public let retryAfter: Duration?

  /// Whether the body goes on all the same: it did not end in time and ignores cancellation. There
  /// is no other attempt then, as it would overlap this one.
  public let isStillRunning: Bool

  init(_ error: any Error, retryAfter: Duration? = nil, isStillRunning: Bool = false) {
    self.error = error
    self.retryAfter = retryAfter
    self.isStillRunning = isStillRunning
  }
}
