/// The smallest part of a condition that made it true or false: the atoms at the end of the way
/// down, by the operands that decided each gate.
///
/// Works on the network, where a sub-expression that is used often stands once, and with lists
/// instead of recursion: neither depth nor sharing can make it slow.
package struct DecidingClause {
  package struct Literal: Hashable {
    package let pebble: Int

    /// The row that it is about: that of the pebble, or of one of its cases.
    package let row: Int

    /// What the condition accepts of that.
    package let outcomes: OutcomeSet

    /// The case that it is about; `nil` for one about outcomes alone.
    package let pebbleCase: PebbleCase?

    /// The outermost name around the atom.
    package let label: String?
  }

  /// In definition order; each with the same outcomes once.
  package let literals: [Literal]

  /// - Parameters:
  ///   - root: The gate to begin with, that of a pebble that has settled or of a goal.
  ///   - history: Which operands decided which gate.
  /// - Complexity: O(atoms of the condition) and, of up to 64 literals, as much again for each.
  package init(of root: Int, _ history: DecisionHistory) {
    let network = history.state.network
    var literals: [Literal] = []
    var pending = [(gate: root, label: network.labels[root])]
    var seenGates: Set<Int> = [root]
    var seenAtoms: Set<OperandIndex.Operand> = []
    while let (gate, label) = pending.popLast() {
      for operand in history.operands(deciding: gate) {
        let row = Int(operand.source)
        switch network.kind(ofRow: row) {
        case .gate:
          let isNew = seenGates.insert(row).inserted
          if isNew { pending.append((row, label ?? network.labels[row])) }
        case .pebble, .pebbleCase:
          guard seenAtoms.insert(operand).inserted else { continue }
          let owner = network.kind(ofRow: row) == .pebbleCase ? network.cases[row] : nil
          literals.append(
            Literal(
              pebble: owner?.pebble ?? row, row: row, outcomes: operand.outcomes,
              pebbleCase: owner?.name, label: label))
        }
      }
    }
    self.literals = Self.reduced(literals.sorted { $0.sortKey < $1.sortKey }, of: root, history)
  }

  /// Leaves out what the others decide without it. Two branches may have been decided by two
  /// pebbles where one of them, that came later to the second, is enough for both; but never what
  /// decided all.
  private static func reduced(
    _ literals: [Literal], of root: Int, _ history: DecisionHistory
  ) -> [Literal] {
    guard literals.count > 1, literals.count <= 64 else { return literals }
    let cause = history.state.cause(ofGate: root)
    var kept = literals
    for literal in literals.reversed() {
      let rest = kept.filter { $0 != literal }
      let isNamed = cause == nil || rest.contains { $0.pebble == cause }
      if isNamed, SupposedLiterals(rest, history).decide(root) { kept = rest }
    }
    return kept
  }

  /// What all of it is called, if it has one name.
  package var label: String? {
    literals.first?.label.flatMap { label in
      literals.allSatisfy { $0.label == label } ? label : nil
    }
  }
}

extension DecidingClause.Literal {
  fileprivate var sortKey: (Int, Int, UInt8) { (pebble, row, outcomes.rawValue) }
}

/// What follows where nothing is known but some literals: Kleene's tables.
private struct SupposedLiterals {
  private let history: DecisionHistory
  private let literals: [Int: [OutcomeSet]]

  init(_ literals: [DecidingClause.Literal], _ history: DecisionHistory) {
    self.history = history
    self.literals = Dictionary(grouping: literals, by: \.row).mapValues { $0.map(\.outcomes) }
  }

  /// Whether they decide a gate, as it was.
  func decide(_ root: Int) -> Bool {
    var known: [Int: Bool] = [:]
    var pending = [(gate: root, isEntered: false)]
    while let (gate, isEntered) = pending.popLast() {
      guard known[gate] == nil, let value = history.state.value(ofGate: gate) else { continue }
      let agreeing = history.operands[gate].filter { history.state.value(of: $0) == value }
      if isEntered {
        let values = agreeing.lazy.map { follows($0, known) }
        let isDominated = history.state.network.kinds[gate].isDominated(by: value)
        let isConstant = history.state.decider(ofGate: gate) == nil
        known[gate] =
          isConstant || (isDominated ? values.contains(true) : !values.contains(false))
      } else {
        pending.append((gate, true))
        pending += agreeing.map { Int($0.source) }.filter { isGate($0) }.map { ($0, false) }
      }
    }
    return known[root] ?? false
  }

  private func isGate(_ row: Int) -> Bool { history.state.network.kind(ofRow: row) == .gate }

  /// Whether the value of an operand follows, from literals at least as strong or from those of its
  /// gate.
  private func follows(_ operand: OperandIndex.Operand, _ known: [Int: Bool]) -> Bool {
    let row = Int(operand.source)
    if isGate(row) { return known[row] ?? false }
    let isTrue = history.state.value(of: operand) == true
    return literals[row, default: []].contains {
      isTrue ? operand.outcomes.isSuperset(of: $0) : operand.outcomes.isSubset(of: $0)
    }
  }
}
