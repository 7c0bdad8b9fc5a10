/// The atoms that together made a condition false: an OR is false because of all its operands, an
/// AND because of one, and that is the one that was false first.
///
/// Works on the network, where a sub-expression that is used often stands once, and with lists
/// instead of recursion: neither depth nor sharing can make it slow.
struct Falsifier {
  struct Atom: Hashable {
    let pebble: Int
    let outcomes: OutcomeSet
  }

  /// In definition order of their pebbles.
  private(set) var atoms: [Atom] = []

  /// What the false expression is called, if it or the one operand to blame for it has a name.
  private(set) var label: String?

  private let storage: RunStorage
  private let operands: OperandIndex

  /// When each false gate met so far became false, in nanoseconds.
  private var times: [Int: UInt64] = [:]

  /// - Complexity: O(atoms of the condition).
  init(ofPebble pebble: Int, _ storage: RunStorage, _ operands: OperandIndex) {
    self.storage = storage
    self.operands = operands
    findTimes(below: pebble)
    collectAtoms(below: pebble)
  }

  private mutating func findTimes(below root: Int) {
    var pending = [root]
    while let gate = pending.last {
      let falseOperands = falseOperands(of: gate)
      let unknown = falseOperands.filter { time(of: $0) == nil }.map { Int($0.source) }
      guard unknown.isEmpty else {
        pending += unknown
        continue
      }
      pending.removeLast()
      let known = falseOperands.compactMap(time)
      times[gate] = (isAnd(gate) ? known.min() : known.max()) ?? 0
    }
  }

  private mutating func collectAtoms(below root: Int) {
    var pending = [root]
    var seenGates: Set<Int> = [root]
    var seenAtoms: Set<Atom> = []
    var isWhole = true
    while let row = pending.popLast() {
      if isWhole, label == nil { label = storage.pond.network.labels[row] }
      let toBlame = isAnd(row) ? firstFalse(of: row).map { [$0] } ?? [] : falseOperands(of: row)
      if toBlame.count > 1 { isWhole = false }

      var gates: [Int] = []
      for operand in toBlame {
        let source = Int(operand.source)
        switch storage.pond.network.kind(ofRow: source) {
        case .pebble:
          let atom = Atom(pebble: source, outcomes: operand.outcomes)
          if seenAtoms.insert(atom).inserted { atoms.append(atom) }
        case .gate:
          if seenGates.insert(source).inserted { gates.append(source) }
        case .predicate:
          continue
        }
      }
      pending += gates.reversed()
    }
    atoms.sort { $0.pebble < $1.pebble }
  }

  private func isAnd(_ gate: Int) -> Bool {
    switch storage.pond.network.kinds[gate] {
    case .all: true
    case .any: false
    }
  }

  private func firstFalse(of gate: Int) -> OperandIndex.Operand? {
    falseOperands(of: gate).min { (time(of: $0) ?? 0) < (time(of: $1) ?? 0) }
  }

  private func falseOperands(of gate: Int) -> [OperandIndex.Operand] {
    operands[gate].filter { operand in
      let source = Int(operand.source)
      switch storage.pond.network.kind(ofRow: source) {
      case .pebble:
        guard let event = storage.state.status(of: source).event else { return false }
        return !operand.outcomes.accepts(event)
      case .gate:
        return storage.state.value(ofGate: source) == false
      case .predicate(let predicate):
        return storage.state.isHeld(predicate: predicate) && !operand.outcomes.accepts(.succeeded)
      }
    }
  }

  /// When a false operand became false, or `nil` for a gate that is still to be looked at.
  private func time(of operand: OperandIndex.Operand) -> UInt64? {
    let source = Int(operand.source)
    return switch storage.pond.network.kind(ofRow: source) {
    case .pebble: storage.state.finished(source)
    case .gate: times[source]
    // Nobody noted when. Whatever else is false says more than an opaque closure.
    case .predicate: .max
    }
  }
}

extension OutcomeSet {
  fileprivate func accepts(_ event: Event) -> Bool { rawValue >> event.rawValue & 1 == 1 }
}
