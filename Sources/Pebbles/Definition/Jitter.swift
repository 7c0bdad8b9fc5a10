/// A way to randomise the waits between attempts, so that pebbles that failed together do not all
/// retry together.
///
/// The kinds and their names come from Marc Brooker's article "Exponential Backoff And Jitter" (AWS
/// Architecture Blog, 2015). According to its measurements, full jitter causes the least work under
/// contention. Equal jitter keeps at least half of each wait.
///
/// ```swift
/// .backoff(attempts: 5, initial: .seconds(1), jitter: .full)   // waits 0–1 s, 0–2 s, 0–4 s, …
/// .backoff(attempts: 5, initial: .seconds(1), jitter: .equal)  // waits 0.5–1 s, 1–2 s, 2–4 s, …
/// ```
///
/// Each wait uses one random number, from the system or from a generator that is passed as
/// `using:`. A passed generator is copied for every pebble of every run. A run can therefore be
/// repeated with the same waits, and pebbles that share a policy wait equally long. Neither is true
/// if the generator is an instance of a class, because the instance is shared instead of copied.
public struct Jitter: Sendable {
  private enum Spread {
    case none, full, equal
  }

  private let spread: Spread
  private var generator: any RandomNumberGenerator & Sendable

  private init(_ spread: Spread, using generator: some RandomNumberGenerator & Sendable) {
    self.spread = spread
    self.generator = generator
  }

  /// No jitter: waits have their full length, the same in every run.
  public static let none = Jitter(.none, using: SystemRandomNumberGenerator())

  /// Full jitter: each wait has a random length, between zero and the full length.
  public static let full = full(using: SystemRandomNumberGenerator())

  /// Equal jitter: each wait has a random length, between half the full length and the full length.
  public static let equal = equal(using: SystemRandomNumberGenerator())

  /// Returns full jitter that uses a random number generator: each wait has a random length,
  /// between zero and the full length.
  ///
  /// - Parameter generator: The generator, which is copied for every pebble of every run.
  /// - Returns: The jitter.
  public static func full(using generator: some RandomNumberGenerator & Sendable) -> Jitter {
    Jitter(.full, using: generator)
  }

  /// Returns equal jitter that uses a random number generator: each wait has a random length,
  /// between half the full length and the full length.
  ///
  /// - Parameter generator: The generator, which is copied for every pebble of every run.
  /// - Returns: The jitter.
  public static func equal(using generator: some RandomNumberGenerator & Sendable) -> Jitter {
    Jitter(.equal, using: generator)
  }

  /// Returns a wait, shortened at random according to the kind of jitter.
  mutating func randomized(_ wait: Duration) -> Duration {
    // Does not use `random(in:)`, which draws again until a number is suitable, and might never
    // return if a generator repeats itself, as in a test. A single draw has an error of one part in
    // 2⁶⁴.
    switch spread {
    case .none: wait
    case .full: wait.portion(generator.next())
    case .equal: wait / 2 + (wait - wait / 2).portion(generator.next())
    }
  }
}
