extension PondLogic {
  /// The pebbles that a run of some is about: these, and all that their conditions and their inputs
  /// mention, negated or not, and so on.
  ///
  /// - Parameters:
  ///   - targets: What is asked for.
  ///   - others: What else a pebble needs, such as the services that it restarts with.
  /// - Returns: Their positions.
  /// - Complexity: O(pebbles + atoms).
  package func subset(
    for targets: some Sequence<Int>, needing others: (Int) -> some Sequence<Int>
  ) -> Set<Int> {
    var known: Set<Int> = []
    var pending = Array(targets)
    while let row = pending.popLast() {
      guard known.insert(row).inserted else { continue }
      switch network.kind(ofRow: row) {
      case .pebble:
        pending += operands[row].map { Int($0.source) }
        pending += others(row)
      case .gate: pending += operands[row].map { Int($0.source) }
      case .pebbleCase: pending.append(network.cases[row].pebble)
      }
    }
    return known.filter { $0 < network.pebbleCount }
  }

  package func subset(for targets: some Sequence<Int>) -> Set<Int> {
    subset(for: targets) { _ in EmptyCollection() }
  }

  /// Whether a run is asked whether it has reached the goal: not if it leaves out a pebble that
  /// this mentions.
  ///
  /// - Complexity: O(pebbles + atoms) if anything is left out.
  package func asksGoal(of subset: Set<Int>?) -> Bool {
    guard let subset, let goal = network.goal else { return true }
    return self.subset(for: [goal]).isSubset(of: subset)
  }
}
