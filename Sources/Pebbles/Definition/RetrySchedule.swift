/// The retries one pebble has left in one run.
///
/// It keeps no time and does not know of cancellation: the runner that waits does. A
/// `CancellationError` that a body throws of its own accord, while the run goes on, is an error
/// like any other.
struct RetrySchedule: Sendable {
  private var retriesLeft: Int
  private var backoff: Backoff?
  private let isTransient: (@Sendable (any Error) -> Bool)?

  init(retries: Int, backoff: Backoff?, isTransient: (@Sendable (any Error) -> Bool)?) {
    retriesLeft = retries
    self.backoff = backoff
    self.isTransient = isTransient
  }

  /// Takes note of a failed attempt. Calls user code, the filter and the random source, so no lock
  /// may be held.
  ///
  /// - Parameter error: What the attempt failed with.
  /// - Returns: How long to wait before the next attempt, zero for not at all and never negative;
  ///   or `nil` if there is none, and the pebble has failed for good.
  mutating func delay(afterFailure error: any Error) -> Duration? {
    guard retriesLeft > 0 else { return nil }
    guard isTransient?(error) ?? true else {
      retriesLeft = 0
      return nil
    }
    retriesLeft -= 1
    return backoff?.nextWait() ?? .zero
  }

  /// Takes note of attempts that have failed in an earlier process and were to be followed by
  /// others. Asks nobody.
  mutating func attemptsFailed(_ count: Int) {
    retriesLeft = max(0, retriesLeft - count)
    for _ in 0..<min(count, Self.mostSkippedWaits) { _ = backoff?.nextWait() }
  }

  /// Takes note of an attempt that failed elsewhere, after others that failed elsewhere as well: as
  /// if all of them had failed like this. Calls user code, as the other form does.
  ///
  /// - Parameters:
  ///   - attempt: Which attempt it was, from 1 on.
  ///   - error: What it failed with.
  /// - Returns: What the other form returns.
  mutating func delay(afterFailure attempt: Int, with error: any Error) -> Duration? {
    guard attempt <= retriesLeft else { return nil }
    retriesLeft -= attempt - 1
    for _ in 1..<min(attempt, Self.mostSkippedWaits) { _ = backoff?.nextWait() }
    return delay(afterFailure: error)
  }

  /// By then waits have long been as long as they get.
  private static let mostSkippedWaits = 10_000
}
