import Pebbles

/// A barrier that blocks the threads that reach it, and not just their tasks, until it is opened.
package final class Roadblock: Sendable {
  /// A gate that opens when the roadblock holds the number of threads for which it was created.
  package let isFull = Gate()

  private let state: Monitor<State>

  private struct State {
    var missing: Int
    var isOpen = false
  }

  package init(for count: Int) {
    state = Monitor(State(missing: count))
  }

  /// Blocks the thread until `open()` is called.
  package func hold() {
    let isLast = state.withLock { state in
      state.missing -= 1
      return state.missing == 0
    }
    if isLast { isFull.open() }
    _ = state.wait(until: { $0.isOpen ? true : nil })
  }

  package func open() {
    state.withLock { content in
      content.isOpen = true
      state.notifyAll()
    }
  }
}
