extension PondLogic {
  /// Returns the pebbles that are needed to run some targets: the targets, and every pebble that
  /// they refer to in conditions or as inputs, directly or indirectly, including negated
  /// references.
  ///
  /// - Parameters:
  ///   - targets: The requested pebbles.
  ///   - others: A function that returns the other pebbles that a pebble needs, such as the
  ///     services that it is restarted with.
  /// - Returns: The positions of the pebbles.
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

  /// Returns the goal's gate for a run of a subset of the pebbles (`nil` for all). Returns `nil` if
  /// the pond has no goal, or if the goal depends on a pebble outside of the subset.
  ///
  /// - Complexity: O(pebbles + atoms) if `subset` is not `nil`, otherwise O(1).
  package func goal(in subset: Set<Int>?) -> Int? {
    guard let subset, let goal = network.goal else { return network.goal }
    return self.subset(for: [goal]).isSubset(of: subset) ? goal : nil
  }
}
