import Synchronization

/// Counts calls, of which the first fail.
package final class Attempts: Sendable {
  private let failing: Int
  private let calls = Mutex(0)

  package init(failing: Int) {
    self.failing = failing
  }

  package var count: Int { calls.withLock { $0 } }

  /// - Returns: Which call this is, from 1 on.
  /// - Throws: `Breakdown` with that number for as long as calls fail.
  package func next() throws -> Int {
    let call = calls.withLock { calls in
      calls += 1
      return calls
    }
    if call <= failing { throw Breakdown("\(call)") }
    return call
  }
}
