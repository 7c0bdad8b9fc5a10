import Pebbles

extension RecordedRun {
  /// Notes the operands that decided conditions, where they are not those of a replay: two runners
  /// can come to a condition in another order than the clock has it.
  ///
  /// - Parameter state: How the run stands in the end.
  /// - Returns: The same run, with these.
  /// - Complexity: That of a replay.
  func noting(decidersOf state: ReadinessState) -> RecordedRun {
    // What cannot be replayed has no other deciders, either.
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
