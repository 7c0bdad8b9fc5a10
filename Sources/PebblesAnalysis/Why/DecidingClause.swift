import Pebbles

/// The smallest part of the condition of a pebble that made it true or false.
///
/// Works on the network, with lists instead of recursion, as `Enabling` does, which knows what
/// decided each gate.
struct DecidingClause {
  enum Source: Hashable {
    case pebble(Int)
    case predicate(Int)
  }

  struct Atom: Hashable {
    let source: Source

    /// What the condition accepts of a pebble; `.succeeded` for a predicate that should hold.
    let outcomes: OutcomeSet
  }

  struct LabelledAtom {
    let atom: Atom

    /// The outermost name around the atom.
    let label: String?
  }

  /// Pebbles in definition order, then predicates.
  private(set) var atoms: [LabelledAtom] = []

  /// Whether predicates counted as false for it, in a stall; then the atoms are all that had been
  /// decided by then.
  private(set) var isOfStall = false

  /// - Complexity: O(atoms of the condition).
  init(of pebble: Int, _ enabling: Enabling) {
    let state = enabling.state
    switch state.status(of: pebble) {
    case .waiting, .running, .skippedByStall, .skippedByCancellation, .skippedAsDisabled: return
    case .skippedByPredicate: isOfStall = true
    case .succeeded, .failed, .skippedByCondition:
      isOfStall = state.readyInStall[UInt32(pebble)] != nil
    }
    if isOfStall {
      atoms = enabling.pebbles(deciding: pebble).map {
        LabelledAtom(atom: Atom(source: .pebble($0), outcomes: .settled), label: nil)
      }
    } else {
      collectAtoms(below: pebble, enabling)
      atoms.sort { ($0.sortKey) < ($1.sortKey) }
    }
  }

  private mutating func collectAtoms(below root: Int, _ enabling: Enabling) {
    let network = enabling.state.network
    var pending = [(gate: root, label: network.labels[root])]
    var seenGates: Set<Int> = [root]
    var seenAtoms: Set<Atom> = []
    while let (gate, label) = pending.popLast() {
      for operand in enabling.operands(deciding: gate) {
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
        let atom = Atom(source: source, outcomes: operand.outcomes)
        if seenAtoms.insert(atom).inserted {
          atoms.append(LabelledAtom(atom: atom, label: label))
        }
      }
    }
  }
}

extension DecidingClause.LabelledAtom {
  fileprivate var sortKey: (Int, Int, UInt8) {
    switch atom.source {
    case .pebble(let pebble): (0, pebble, atom.outcomes.rawValue)
    case .predicate(let predicate): (1, predicate, atom.outcomes.rawValue)
    }
  }
}
