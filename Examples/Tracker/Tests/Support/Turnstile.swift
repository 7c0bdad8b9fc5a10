import ServiceLifecycle
import Synchronization

/// A turnstile that holds tasks until it is opened, and counts the tasks that have arrived.
package final class Turnstile: Sendable {
  private struct State {
    var isOpen = false
    var count = 0
    var held: [Int: AsyncStream<Never>.Continuation] = [:]
    var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of tasks that have arrived so far.
  package var count: Int { state.withLock(\.count) }

  /// Opens the turnstile for the tasks that are held, and for all later ones.
  package func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [:] }
      return state.held.values
    }
    for continuation in held { continuation.finish() }
  }

  /// Suspends until `count` tasks have arrived.
  package func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < count { state.watchers.append((count, continuation)) }
        return state.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Suspends until the turnstile is opened.
  ///
  /// - Throws: `CancellationError` if the task is cancelled or the server is shut down before then.
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
