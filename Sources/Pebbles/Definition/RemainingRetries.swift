/// The retries that one pebble has left in one run.
///
/// This type does not measure time or react to cancellation; the runner does both while it waits. A
/// `CancellationError` that a body throws while the run is not cancelled is treated like any other
/// error.
struct RemainingRetries: Sendable {
  private var retriesLeft: Int
  private var backoff: Backoff?
  private let isTransient: (@Sendable (any Error) -> Bool)?

  init(retries: Int, backoff: Backoff?, isTransient: (@Sendable (any Error) -> Bool)?) {
    retriesLeft = retries
    self.backoff = backoff
    self.isTransient = isTransient
  }

  /// Records a failed attempt. This method calls the filter and the random source, which are user
  /// code, so no lock may be held.
  ///
  /// - Parameter error: The error of the attempt.
  /// - Returns: The wait before the next attempt, zero or longer; `nil` if there is no further
  ///   attempt and the pebble fails.
  mutating func delay(afterFailure error: any Error) -> Duration? {
    guard retriesLeft > 0 else { return nil }
    guard isTransient?(error) ?? true else {
      retriesLeft = 0
      return nil
    }
    retriesLeft -= 1
    return backoff?.nextWait() ?? .zero
  }

  /// Records attempts that failed in other processes. Such attempts always count as failures that
  /// may be retried, so this method does not call the filter. Like `delay(afterFailure:)`, it calls
  /// the random source.
  mutating func attemptsFailed(_ count: Int) {
    retriesLeft = max(0, retriesLeft - count)
    for _ in 0..<min(count, Self.mostSkippedWaits) { _ = backoff?.nextWait() }
  }

  /// The maximum number of waits to compute for attempts in other processes. The length of the
  /// waits usually stops growing long before this number is reached.
  private static let mostSkippedWaits = 10_000
}
