/// The error of a pebble that fails because too many processes have died while running its body.
///
/// The body is the likely cause, so it is not called again. For example, it may use too much
/// memory, or call a function that ends the process. See `Journal` in `PebblesDurable`.
public struct PebbleCrash: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of processes that died while running the body, since its last failed attempt.
  public let count: Int

  init(count: Int) {
    self.count = count
  }

  /// The error as a sentence.
  public var description: String {
    "it crashed: its body was called in \(count) processes, and each died before it ended"
  }
}
