import PebblesTestSupport
import Synchronization

@testable import Pebbles

/// A factory of threads that can later determine whether code runs on one of them.
final class ObservedThreads: Sendable {
  /// A gate that opens when the first of the threads has ended.
  let firstEnd = Gate()

  private let threads = Mutex<[ThreadIdentity]>([])

  var startedCount: Int { threads.withLock { $0.count } }

  /// Whether the caller runs on one of the threads.
  var areCurrent: Bool {
    threads.withLock { $0.contains(.current) }
  }

  var launch: BlockingThreads.Launch {
    { body in
      SystemThread.start(named: "pebble-test") {
        self.threads.withLock { $0.append(.current) }
        body()
        self.firstEnd.open()
      }
    }
  }
}
