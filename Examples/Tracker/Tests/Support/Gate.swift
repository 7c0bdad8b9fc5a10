import Synchronization

/// A gate at which tasks wait until it is opened. It is closed at first, and stays open once it has
/// been opened.
package final class Gate: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Mutex(State.closed([]))

  package init() {}

  package var isOpen: Bool {
    state.withLock { if case .open = $0 { true } else { false } }
  }

  package func open() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      defer { state = .open }
      return if case .closed(let waiting) = state { waiting } else { [] }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Suspends until the gate is open, even in a cancelled task.
  package func passed() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        switch state {
        case .closed(let waiting):
          state = .closed(waiting + [continuation])
          return false
        case .open:
          return true
        }
      }
      if isOpen { continuation.resume() }
    }
  }
}
