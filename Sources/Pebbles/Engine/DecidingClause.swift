/// The smallest part of a condition that made it true or false: the atoms at the end of the way
/// down, by the operands that decided each gate.
///
/// Works on the network, where a sub-expression that is used often stands once, and with lists
/// instead of recursion: neither depth nor sharing can make it slow.
package struct DecidingClause {
  package struct Literal {
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

  private struct Key: Hashable {
    let row: Int
    let outcomes: OutcomeSet
  }

  /// - Parameters:
  ///   - root: The gate to begin with, such as that of a pebble.
  ///   - network: The network it is part of.
  ///   - operands: The operands that decided a gate.
  /// - Complexity: O(atoms of the condition).
  package init(
    of root: Int, _ network: ReadinessNetwork, decidedBy operands: (Int) -> [OperandIndex.Operand]
  ) {
    var literals: [Literal] = []
    var pending = [(gate: root, label: network.labels[root])]
    var seenGates: Set<Int> = [root]
    var seenAtoms: Set<Key> = []
    while let (gate, label) = pending.popLast() {
      for operand in operands(gate) {
        let row = Int(operand.source)
        switch network.kind(ofRow: row) {
        case .gate:
          let isNew = seenGates.insert(row).inserted
          if isNew { pending.append((row, label ?? network.labels[row])) }
          continue
        case .pebble, .pebbleCase: break
        }
        if seenAtoms.insert(Key(row: row, outcomes: operand.outcomes)).inserted {
          let owner = network.kind(ofRow: row) == .pebbleCase ? network.cases[row] : nil
          literals.append(
            Literal(
              pebble: owner?.pebble ?? row, row: row, outcomes: operand.outcomes,
              pebbleCase: owner?.name, label: label))
        }
      }
    }
    self.init(literals: literals.sorted { $0.sortKey < $1.sortKey })
  }

  /// The smallest part of the condition of a pebble, in a run that is over.
  ///
  /// - Complexity: O(atoms of the condition).
  package init(of pebble: Int, _ enabling: DecisionHistory) {
    let state = enabling.state
    switch state.status(of: pebble) {
    case .waiting, .running, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedByHolder:
      self.init(literals: [])
    case .succeeded, .failed, .skippedByCondition:
      self.init(of: pebble, state.network, decidedBy: enabling.operands(deciding:))
    }
  }

  private init(literals: [Literal]) {
    self.literals = literals
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
