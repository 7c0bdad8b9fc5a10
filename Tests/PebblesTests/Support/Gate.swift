import Synchronization

/// Closed at first; whoever comes waits until it opens. Stays open then.
final class Gate: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Mutex(State.closed([]))

  var isOpen: Bool {
    state.withLock { if case .open = $0 { true } else { false } }
  }

  func open() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      defer { state = .open }
      return if case .closed(let waiting) = state { waiting } else { [] }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Suspends until the gate is open, even in a cancelled task.
  func passed() async {
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

/// Lets nobody through before all have come: a proof that they were under way at the same time.
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

  /// Waits for the others without being counted.
  func attendAsGuest() async {
    await complete.passed()
  }
}
