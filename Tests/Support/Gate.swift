import Synchronization

/// A gate at which tasks wait until it is opened. It is closed at first, and stays open once it has
/// been opened.
package final class Gate: Sendable {
  private enum State {
    case closed([@Sendable () -> Void])
    case open
  }

  private let state = Mutex(State.closed([]))

  package init() {}

  package var isOpen: Bool {
    state.withLock { if case .open = $0 { true } else { false } }
  }

  package func open() {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      defer { state = .open }
      return if case .closed(let waiting) = state { waiting } else { [] }
    }
    for wake in waiting { wake() }
  }

  /// Suspends until the gate is open, even in a cancelled task.
  package func passed() async {
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
  }

  /// Suspends until one of two gates is open, even in a cancelled task.
  package func passed(or other: Gate) async {
    let either = Gate()
    whenOpen { either.open() }
    other.whenOpen { either.open() }
    await either.passed()
  }

  /// Suspends until the gate is open or the task is cancelled.
  package func passedUnlessCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    whenOpen { continuation.finish() }
    for await _ in stream {}
  }

  private func whenOpen(_ wake: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      switch state {
      case .closed(let waiting):
        state = .closed(waiting + [wake])
        return false
      case .open:
        return true
      }
    }
    if isOpen { wake() }
  }
}
