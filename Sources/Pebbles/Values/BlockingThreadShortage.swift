/// An error thrown when a blocking body cannot be called because abandoned bodies still occupy all
/// allowed threads.
///
/// A body that ignores cancellation occupies its thread until it returns. See
/// ``PebbleTrait/blocking``.
///
/// Teardowns during a shutdown do not fail with this error. If no thread is left, they are called
/// on the concurrency pool.
public struct BlockingThreadShortage: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of allowed threads, all of which are occupied.
  let threadCount: Int

  /// The error as a sentence.
  public var description: String {
    "no thread is left for it: \(threadCount) blocking bodies were abandoned and have not returned"
  }
}
