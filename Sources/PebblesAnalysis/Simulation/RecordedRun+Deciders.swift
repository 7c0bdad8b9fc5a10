import Pebbles

extension RecordedRun {
  /// Returns the run with an entry in ``RecordedRun/deciders`` for each condition whose deciding
  /// operand a replay would get wrong. A replay finds the wrong operand if two threads reached the
  /// condition in an order that differs from the order of the recorded times.
  ///
  /// - Parameter state: The final state of the run.
  /// - Returns: The same run, with these entries.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, as for a replay.
  func noting(decidersOf state: ReadinessState) -> RecordedRun {
    // A run that cannot be replayed has no operands to compare.
    guard let replay = try? Replay(self) else { return self }
    let history = DecisionHistory(state, model.pond.operands)
    let roots = Array(0..<model.count) + (model.pond.network.goal.map { [$0] } ?? [])
    var copy = self
    for gate in DecisionGraph(from: roots, history).rows {
      guard let decider = state.decider(ofGate: gate),
        decider != replay.state.decider(ofGate: gate)
      else { continue }
      copy.deciders[gate] = decider
    }
    return copy
  }
}
