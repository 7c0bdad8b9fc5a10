import PebblesTestSupport
import Synchronization

/// A meeting that lets no task continue before all have arrived, which proves that the tasks were
/// under way at the same time.
final class Meeting: Sendable {
  private let missing: Mutex<Int>
  private let complete = Gate()

  init(of count: Int) {
    missing = Mutex(count)
  }

  func attend() async {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { complete.open() }
    await complete.passed()
  }

  /// Waits for the others without being counted.
  func attendAsGuest() async {
    await complete.passed()
  }
}
