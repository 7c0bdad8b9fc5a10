import Synchronization

/// A filter of a search, with the people it matches. A panel depends only on its own part of the
/// question, and searches again only after that part has changed.
final class Panel<Filter: Leaf>: Sendable {
  private let people: People
  private let state: Mutex<State>

  private struct State {
    var leaf: Filter
    var answer: PersonSet?
    var searchCount = 0
  }

  init(_ people: People, _ leaf: Filter) {
    self.people = people
    state = Mutex(State(leaf: leaf))
  }

  /// Sets the filter, and drops the answer if the filter has changed.
  func show(_ leaf: Filter) {
    state.withLock { state in
      guard state.leaf != leaf else { return }
      state.leaf = leaf
      state.answer = nil
    }
  }

  /// The number of searches that the panel has finished.
  var searchCount: Int { state.withLock { $0.searchCount } }

  /// Returns the people who match the filter; `nil` stands for everybody.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func answer() throws -> PersonSet? {
    let (leaf, known) = state.withLock { ($0.leaf, $0.answer) }
    if leaf.matchesEverybody { return nil }
    if let known { return known }
    let answer = try leaf.matches(in: people)
    state.withLock { state in
      state.searchCount += 1
      // The filter may have changed in the meantime.
      if state.leaf == leaf { state.answer = answer }
    }
    return answer
  }
}
