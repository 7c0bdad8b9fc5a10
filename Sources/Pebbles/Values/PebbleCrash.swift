/// The error of a pebble that fails because too many processes have died while running its body.
///
/// The body is the likely cause, for example because it uses too much memory or calls a function
/// that ends the process. Therefore, it is not called again. See `Journal` in `PebblesDurable`.
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
