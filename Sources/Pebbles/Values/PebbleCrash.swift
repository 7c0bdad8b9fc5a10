/// An error with which a pebble fails after too many processes have died during calls of its body.
///
/// The body is the likely cause, so it is not called again. For example, it may use too much
/// memory, or call a function that ends the process. See `Journal` in `PebblesDurable`.
public struct PebbleCrash: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of times that a process died during a call of the body.
  public let count: Int

  init(count: Int) {
    self.count = count
  }

  /// The error as a sentence.
  public var description: String {
    "it crashed: its body was called in \(count) processes, and each died before it ended"
  }
}
