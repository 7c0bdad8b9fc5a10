import PebblesTestSupport
import Synchronization

/// A meeting of tasks, none of which continues before all have arrived. This proves that the tasks
/// were under way at the same time.
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

  /// Waits until all participants have arrived. The caller does not count as a participant.
  func attendAsGuest() async {
    await complete.passed()
  }
}
