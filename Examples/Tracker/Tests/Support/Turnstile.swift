import ServiceLifecycle
import Synchronization

/// Holds those who come until it is opened, and tells how many are held.
package final class Turnstile: Sendable {
  private struct State {
    var isOpen = false
    var count = 0
    var held: [Int: AsyncStream<Never>.Continuation] = [:]
    var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How many have come so far.
  package var count: Int { state.withLock(\.count) }

  /// Lets all through who are held, and all who come later.
  package func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [:] }
      return state.held.values
    }
    for continuation in held { continuation.finish() }
  }

  /// Suspends until that many have come.
  package func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < count { state.watchers.append((count, continuation)) }
        return state.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Suspends until it is opened.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before, or the server is to end.
  package func passed() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let due = state.withLock { state in
      state.count += 1
      if state.isOpen { continuation.finish() } else { state.held[state.count] = continuation }
      let due = state.watchers.filter { $0.count <= state.count }
      state.watchers.removeAll { $0.count <= state.count }
      return due
    }
    for watcher in due { watcher.1.resume() }
    try await cancelWhenGracefulShutdown {
      for await _ in stream {}
      try Task.checkCancellation()
    }
  }
}
