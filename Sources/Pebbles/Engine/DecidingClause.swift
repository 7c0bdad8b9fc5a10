/// The smallest part of a condition that made it true or false: the atoms at the end of the way
/// down, by the operands that decided each gate.
///
/// Works on the network, where a sub-expression that is used often stands once, and with lists
/// instead of recursion: neither depth nor sharing can make it slow.
package struct DecidingClause {
  package enum Source: Hashable {
    case pebble(Int)
    case predicate(Int)
  }

  package struct Literal {
    package let source: Source

    /// What the condition accepts of a pebble; `.succeeded` for a predicate that should hold.
    package let outcomes: OutcomeSet

    /// The outermost name around the atom.
    package let label: String?
  }

  /// Pebbles in definition order, then predicates; each with the same outcomes once.
  package let literals: [Literal]

  /// Whether predicates counted as false for it, in a stall; then they are all that had been
  /// decided by then.
  package let isOfStall: Bool

  private struct Key: Hashable {
    let source: Source
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
        let source: Source
        switch network.kind(ofRow: row) {
        case .gate:
          let isNew = seenGates.insert(row).inserted
          if isNew { pending.append((row, label ?? network.labels[row])) }
          continue
        case .pebble: source = .pebble(row)
        case .predicate(let predicate): source = .predicate(predicate)
        }
        if seenAtoms.insert(Key(source: source, outcomes: operand.outcomes)).inserted {
          literals.append(Literal(source: source, outcomes: operand.outcomes, label: label))
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
    var isOfStall = false
    switch state.status(of: pebble) {
    case .waiting, .running, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedByHolder:
      self.init(literals: [])
      return
    case .skippedByPredicate: isOfStall = true
    case .succeeded, .failed, .skippedByCondition:
      isOfStall = state.readyInStall[UInt32(pebble)] != nil
    }
    if isOfStall {
      let settled = enabling.pebbles(deciding: pebble)
      self.init(
        literals: settled.map { Literal(source: .pebble($0), outcomes: .settled, label: nil) },
        isOfStall: true)
    } else {
      self.init(of: pebble, state.network, decidedBy: enabling.operands(deciding:))
    }
  }

  private init(literals: [Literal], isOfStall: Bool = false) {
    self.literals = literals
    self.isOfStall = isOfStall
  }

  /// What all of it is called, if it has one name.
  package var label: String? {
    literals.first?.label.flatMap { label in
      literals.allSatisfy { $0.label == label } ? label : nil
    }
  }
}

extension DecidingClause.Literal {
  fileprivate var sortKey: (Int, Int, UInt8) {
    switch source {
    case .pebble(let pebble): (0, pebble, outcomes.rawValue)
    case .predicate(let predicate): (1, predicate, outcomes.rawValue)
    }
  }
}
