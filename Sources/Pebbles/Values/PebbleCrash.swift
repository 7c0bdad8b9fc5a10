/// The error of a pebble whose body is not called again, because too many processes have died
/// during calls of the body.
///
/// See `Journal` in `PebblesDurable`. The body itself is the likely cause: for example, it uses too
/// much memory, or calls a function that ends the process.
public struct PebbleCrash: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of times that the process died during a call of the body.
  public let count: Int

  init(count: Int) {
    self.count = count
  }

  /// The error as a sentence.
  public var description: String {
    "it crashed: its body was called in \(count) processes, and each died before it ended"
  }
}
