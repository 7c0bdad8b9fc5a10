import Foundation
import Synchronization

/// A watchdog that ends the process if a round hangs.
///
/// The watchdog has its own thread, because all threads of Swift's concurrency pool may be blocked.
final class Watchdog: Sendable {
  /// The time limit of a round, in seconds. It is generous, even for a busy machine: most rounds
  /// take a millisecond.
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
