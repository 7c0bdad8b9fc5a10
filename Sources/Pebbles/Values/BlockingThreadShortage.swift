/// An error that occurs when a blocking body cannot be called because abandoned bodies still occupy
/// all allowed threads.
///
/// A body that ignores cancellation occupies its thread until it returns. See
/// ``PebbleTrait/blocking``.
public struct BlockingThreadShortage: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of allowed threads, all of which are occupied.
  let threadCount: Int

  /// The error as a sentence.
  public var description: String {
    "no thread is left for it: \(threadCount) blocking bodies were abandoned and have not returned"
  }
}
