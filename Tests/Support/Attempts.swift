import Synchronization

/// A counter of calls that makes the first `failing` calls fail.
package final class Attempts: Sendable {
  private let failing: Int
  private let calls = Mutex(0)

  package init(failing: Int) {
    self.failing = failing
  }

  package var count: Int { calls.withLock { $0 } }

  /// Counts a call, and throws an error if it is one of the first `failing` calls.
  ///
  /// - Returns: The number of this call, starting at 1.
  /// - Throws: `Breakdown` with the number of this call, if it is one of the first `failing` calls.
  package func next() throws -> Int {
    let call = calls.withLock { calls in
      calls += 1
      return calls
    }
    if call <= failing { throw Breakdown("\(call)") }
    return call
  }
}
