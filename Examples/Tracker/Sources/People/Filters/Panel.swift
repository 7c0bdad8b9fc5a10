import Synchronization

/// One of the filters. It knows only its leaf of the question, and keeps its answer: it looks at
/// people again only after its own leaf has changed.
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

  /// Has it show another leaf.
  func show(_ leaf: Filter) {
    state.withLock { state in
      guard state.leaf != leaf else { return }
      state.leaf = leaf
      state.answer = nil
    }
  }

  /// How often people were looked at.
  var searchCount: Int { state.withLock { $0.searchCount } }

  /// Those who match the leaf; `nil` stands for everybody.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  func answer() throws -> PersonSet? {
    let (leaf, known) = state.withLock { ($0.leaf, $0.answer) }
    if leaf.matchesEverybody { return nil }
    if let known { return known }
    let answer = try leaf.matches(in: people)
    state.withLock { state in
      state.searchCount += 1
      // It may show another one by now.
      if state.leaf == leaf { state.answer = answer }
    }
    return answer
  }
}
