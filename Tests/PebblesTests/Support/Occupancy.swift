import Synchronization

/// Counts how many are inside.
final class Occupancy: Sendable {
  private let counts = Mutex((current: 0, maximum: 0))

  var maximum: Int { counts.withLock { $0.maximum } }

  /// - Returns: How many are inside now.
  @discardableResult
  func enter() -> Int {
    counts.withLock { counts in
      counts.current += 1
      counts.maximum = max(counts.maximum, counts.current)
      return counts.current
    }
  }

  func leave() {
    counts.withLock { $0.current -= 1 }
  }
}
