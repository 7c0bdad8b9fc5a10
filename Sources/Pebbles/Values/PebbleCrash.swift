/// A pebble failed because its body died with its process, too often.
///
/// See `Journal` in `PebblesDurable`. What the body does is likely to be why: it takes too much
/// memory, or calls what ends the process.
public struct PebbleCrash: Error, Sendable, Hashable, CustomStringConvertible {
  /// How often the body was called, each time in a process that died before it ended.
  public let count: Int

  init(count: Int) {
    self.count = count
  }

  /// The error as a sentence.
  public var description: String {
    "it crashed: its body was called in \(count) processes, and each died before it ended"
  }
}
