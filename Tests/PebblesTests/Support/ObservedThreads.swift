import PebblesTestSupport
import Synchronization

@testable import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Starts threads, and knows which they were.
final class ObservedThreads: Sendable {
  /// Opens when the first of the threads has ended.
  let firstEnd = Gate()

  private let threads = Mutex<[pthread_t]>([])

  var startedCount: Int { threads.withLock { $0.count } }

  /// Whether the caller is on one of the threads.
  var areCurrent: Bool {
    threads.withLock { threads in
      threads.contains { pthread_equal($0, pthread_self()) != 0 }
    }
  }

  var launch: BlockingThreads.Launch {
    { body in
      SystemThread.start(named: "pebble-test") {
        self.threads.withLock { $0.append(pthread_self()) }
        body()
        self.firstEnd.open()
      }
    }
  }
}
