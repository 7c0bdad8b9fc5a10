import Dispatch
import Synchronization

@testable import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Starts real threads, knows which they are, and can be out of them.
final class ThreadFactory: Sendable {
  private struct State {
    var supply: Int
    var startedCount = 0
    var livingCount = 0
    var identifiers: Set<UInt> = []
    var awaitingEmpty: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// - Parameter supply: How many threads to start before all others are refused.
  init(supply: Int = .max) {
    state = Mutex(State(supply: supply))
  }

  var startedCount: Int { state.withLock { $0.startedCount } }

  /// Whether the caller runs on one of the threads.
  var isCurrent: Bool {
    let current = Self.currentThread
    return state.withLock { $0.identifiers.contains(current) }
  }

  @Sendable func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let isInSupply = state.withLock { state in
      guard state.startedCount < state.supply else { return false }
      state.startedCount += 1
      state.livingCount += 1
      return true
    }
    return isInSupply
      && SystemThread.start {
        let current = Self.currentThread
        _ = self.state.withLock { $0.identifiers.insert(current) }
        body()
        self.threadEnded(current)
      }
  }

  /// Waits until none of the threads lives.
  func emptied() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.livingCount > 0 { state.awaitingEmpty.append(continuation) }
        return state.livingCount == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  private func threadEnded(_ identifier: UInt) {
    let awaiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.identifiers.remove(identifier)
      state.livingCount -= 1
      guard state.livingCount == 0 else { return [] }
      defer { state.awaitingEmpty = [] }
      return state.awaitingEmpty
    }
    for continuation in awaiting { continuation.resume() }
  }

  private static var currentThread: UInt {
    #if canImport(Glibc)
    pthread_self()
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }
}

/// Holds threads, not only tasks, until it is opened.
final class Roadblock: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func block() {
    semaphore.wait()
    // Each that passes lets the next one through.
    semaphore.signal()
  }

  func open() {
    semaphore.signal()
  }
}

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
