import Synchronization

/// A counter of the visitors that are inside at the same time.
final class Occupancy: Sendable {
  private let counts = Mutex((current: 0, maximum: 0))

  var maximum: Int { counts.withLock { $0.maximum } }

  /// Records that a visitor enters.
  ///
  /// - Returns: The number of visitors that are inside now.
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
