import Foundation
import Synchronization

/// Ends the process when a round does not end: a run hangs.
///
/// Has a thread of its own, because a hang may be all threads of the concurrency pool waiting.
final class Watchdog: Sendable {
  /// Far longer than a round takes on a busy machine: most are a millisecond.
  private static let patience = 60.0

  private let round = Mutex<(name: String, begun: Date)?>(nil)

  init() {
    Thread.detachNewThread { self.watch() }
  }

  private func watch() {
    while true {
      Thread.sleep(forTimeInterval: 1)
      guard let round = round.withLock({ $0 }) else { continue }
      if -round.begun.timeIntervalSinceNow > Self.patience {
        print("FAILED: the round does not end: \(round.name)")
        exit(1)
      }
    }
  }

  func roundBegins(_ name: String) {
    round.withLock { $0 = (name, Date()) }
  }
}
