import Pebbles

/// A barrier that blocks the threads that come, and not just their tasks, until it is opened.
package final class Roadblock: Sendable {
  /// A gate that opens when as many threads are held as the roadblock was made for.
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
