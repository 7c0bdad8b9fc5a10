/// A policy that decides whether, how often and how soon a failed body is called again.
///
/// ```swift
/// pond.pebble("loadCores", .retry(.attempts(4))) { try await calypso.cores() }
/// pond.pebble("poll", .retry(.attempts(10, delay: .seconds(2)))) { … }
/// pond.pebble("connect", .retry(.backoff(attempts: 5, initial: .milliseconds(100)))) { … }
/// pond.pebble("login", .retry(.attempts(3, only: { $0 is Timeout }))) { … }
/// ```
///
/// Only the last attempt decides the pebble's outcome: conditions of other pebbles do not see
/// earlier failures. A policy is a value: pebbles can share one, and every pebble of every run
/// counts its own attempts.
///
/// An invalid policy, such as one with no attempts, is a fault of the pond's definition.
/// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` reports it by throwing a
/// ``PondError``.
public struct RetryPolicy: Sendable {
  private enum Pace {
    case even(attempts: Int, delay: Duration)
    case backoff(Backoff, attempts: Int)
  }

  private let pace: Pace
  private let isTransient: (@Sendable (any Error) -> Bool)?

  /// Returns a policy that retries immediately, or after a fixed wait.
  ///
  /// - Parameters:
  ///   - attempts: The total number of attempts, including the first one; 1 or more.
  ///   - delay: The wait before each further attempt; zero or longer. A wait ends at once if the
  ///     run is cancelled.
  ///   - isTransient: A closure that returns whether an error is worth another attempt; by default,
  ///     every error is. It is called once per failed attempt, except after the last one, and
  ///     should be quick.
  /// - Returns: The policy.
  public static func attempts(
    _ attempts: Int, delay: Duration = .zero,
    only isTransient: (@Sendable (any Error) -> Bool)? = nil
  ) -> RetryPolicy {
    RetryPolicy(pace: .even(attempts: attempts, delay: delay), isTransient: isTransient)
  }

  /// Returns a policy that retries after increasingly long waits: exponential backoff.
  ///
  /// The waits are `initial`, `initial · factor`, `initial · factor²` and so on. Each wait is
  /// limited to `maximum`, and then shortened at random by `jitter`. The number of attempts
  /// includes the first one: with five attempts there are at most four waits. A wait ends at once
  /// if the run is cancelled.
  ///
  /// Jitter is used unless `.none` is passed. When a database restarts, all instances of a service
  /// that depends on it fail at the same moment. Without jitter, they would also all retry at the
  /// same moment, again and again.
  ///
  /// - Parameters:
  ///   - attempts: The total number of attempts; 1 or more.
  ///   - initial: The wait after the first attempt; longer than zero.
  ///   - factor: The ratio of each wait to the one before; finite, and 1 or more.
  ///   - maximum: The longest wait; not shorter than `initial`. It limits each wait, not their sum.
  ///   - jitter: The randomisation of the waits.
  ///   - isTransient: A closure that returns whether an error is worth another attempt; by default,
  ///     every error is. It is called once per failed attempt, except after the last one, and
  ///     should be quick.
  /// - Returns: The policy.
  public static func backoff(
    attempts: Int, initial: Duration, factor: Double = 2, maximum: Duration = .seconds(60),
    jitter: Jitter = .full, only isTransient: (@Sendable (any Error) -> Bool)? = nil
  ) -> RetryPolicy {
    let backoff = Backoff(initial: initial, factor: factor, maximum: maximum, jitter: jitter)
    return RetryPolicy(
      pace: .backoff(backoff, attempts: attempts), isTransient: isTransient)
  }

  /// The faults of the policy, worded to follow "cannot be retried: " or "cannot be restarted: " in
  /// a sentence: `"its attempt count is 0; …"`. The list is empty if the policy can be used.
  var faults: [String] {
    switch pace {
    case .even(let attempts, let delay):
      Self.faults(attempts: attempts)
        + (delay < .zero ? ["its delay is \(delay); it must be zero or longer"] : [])
    case .backoff(let backoff, let attempts):
      Self.faults(attempts: attempts) + backoff.faults
    }
  }

  private static func faults(attempts: Int) -> [String] {
    if attempts > 0 { return [] }
    return ["its attempt count is \(attempts); it must be 1 or more, as the first attempt counts"]
  }

  /// Returns the retries for one pebble in one run. They use their own copy of the jitter's
  /// generator.
  func makeRetries() -> RemainingRetries {
    let (attempts, backoff): (Int, Backoff?) =
      switch pace {
      case .even(let attempts, .zero): (attempts, nil)
      case .even(let attempts, let delay):
        (attempts, Backoff(initial: delay, factor: 1, maximum: delay, jitter: .none))
      case .backoff(let backoff, let attempts): (attempts, backoff)
      }
    // At least 1, because subtracting 1 from `Int.min` would overflow.
    return RemainingRetries(
      retries: max(1, attempts) - 1, backoff: backoff, isTransient: isTransient)
  }
}
