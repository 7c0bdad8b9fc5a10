/// The atoms that made a condition true or false. Superfluous atoms are removed, unless there are
/// more than 64 atoms.
///
/// To find the atoms, `init(of:_:)` follows the operands that decided each gate. It works on the
/// network, where a shared sub-expression occurs only once. Because it uses lists instead of
/// recursion, deep conditions do not overflow the stack.
package struct DecidingClause {
  package struct Literal: Hashable {
    package let pebble: Int

    /// The row of the pebble or case that the literal reads.
    package let row: Int

    /// The outcomes that make the literal true. For a literal that reads a case, `succeeded` means
    /// that the case holds, and `failed` that it does not.
    package let outcomes: OutcomeSet

    /// The case that the literal reads; `nil` if the literal reads only the outcome of the pebble.
    package let pebbleCase: PebbleCase?

    /// The outermost label that encloses the atom; `nil` if the atom is not inside a label.
    package let label: String?
  }

  /// The literals in definition order, without duplicates.
  package let literals: [Literal]

  /// Finds the atoms that decided a condition.
  ///
  /// - Parameters:
  ///   - root: The gate to begin with: the root of a settled pebble, or the goal's gate.
  ///   - history: The operands that decided each gate.
  /// - Complexity: O(*n*), where *n* is the number of atoms in the condition, plus O(*n*) for each
  ///   literal of a clause with at most 64 literals. A longer clause is not reduced.
  package init(of root: Int, _ history: DecisionHistory) {
    let literals = Self.literals(of: root, history) { history.operands(deciding: $0) }
    self.literals = Self.reduced(literals, of: root, history)
  }

  /// Walks from a gate down to the atoms, and collects their literals.
  ///
  /// - Parameters:
  ///   - root: The gate to begin with.
  ///   - history: The decisions of the run.
  ///   - operands: A function that takes a gate and returns the operands to follow.
  /// - Returns: The literals of the atoms that were reached, in definition order.
  private static func literals(
    of root: Int, _ history: DecisionHistory, _ operands: (Int) -> [OperandIndex.Operand]
  ) -> [Literal] {
    let network = history.state.network
    var literals: [Literal] = []
    var pending = [(gate: root, label: network.labels[root])]
    var seenGates: Set<Int> = [root]
    var seenAtoms: Set<OperandIndex.Operand> = []
    while let (gate, label) = pending.popLast() {
      for operand in operands(gate) {
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
    return literals.sorted { $0.sortKey < $1.sortKey }
  }

  /// Returns the literals without the superfluous ones. A literal is superfluous if the other
  /// literals decide the condition without it.
  ///
  /// For example, suppose that `a` decided one branch of the condition, and `b` decided another
  /// branch later. Then `a` is superfluous if `b` alone would have decided both.
  ///
  /// First, pebbles are removed, each with all of its literals. The remaining pebbles may then
  /// decide the condition through atoms that were not among the literals before. Afterwards, single
  /// literals are removed. The pebble that decided the whole condition when it settled is never
  /// removed.
  private static func reduced(
    _ literals: [Literal], of root: Int, _ history: DecisionHistory
  ) -> [Literal] {
    guard literals.count > 1, literals.count <= 64 else { return literals }
    let cause = history.state.cause(ofGate: root)
    var kept = literals
    var pebbles = Set(literals.map(\.pebble))
    for pebble in pebbles.sorted(by: >) where pebble != cause && pebbles.count > 1 {
      let known = KnownPebbles(pebbles.subtracting([pebble]), history)
      let supposition = Supposition(history, root, following: known.decides)
      guard supposition.isDecided else { continue }
      pebbles.remove(pebble)
      kept = Self.literals(of: root, history, supposition.operands(deciding:))
    }
    for literal in kept.reversed() {
      let rest = kept.filter { $0 != literal }
      guard cause == nil || rest.contains(where: { $0.pebble == cause }) else { continue }
      let known = KnownLiterals(rest, history)
      if Supposition(history, root, following: known.decide).isDecided { kept = rest }
    }
    return kept
  }

  /// The label that all literals have in common; `nil` if they have different labels or no label.
  package var label: String? {
    literals.first?.label.flatMap { label in
      literals.allSatisfy { $0.label == label } ? label : nil
    }
  }
}

extension DecidingClause.Literal {
  fileprivate var operand: OperandIndex.Operand {
    OperandIndex.Operand(source: UInt32(row), outcomes: outcomes)
  }

  fileprivate var sortKey: (Int, Int, UInt8) { (pebble, row, outcomes.rawValue) }
}

/// The gates whose values follow from a set of known atoms. All other atoms count as unknown, as in
/// Kleene's three-valued logic.
private struct Supposition {
  private let history: DecisionHistory
  private let root: Int

  /// A function that returns whether the value of an atom is known.
  private let isKnown: (OperandIndex.Operand) -> Bool

  /// The results for the gates examined so far. A result is true if the known atoms suffice to give
  /// the gate its actual value.
  private var decided: [Int: Bool] = [:]

  init(
    _ history: DecisionHistory, _ root: Int,
    following isKnown: @escaping (OperandIndex.Operand) -> Bool
  ) {
    self.history = history
    self.root = root
    self.isKnown = isKnown
    decideGates()
  }

  /// Whether the known atoms suffice to give the root its actual value.
  var isDecided: Bool { decided[root] ?? false }

  /// Returns the operands through which the known atoms decide a gate.
  func operands(deciding gate: Int) -> [OperandIndex.Operand] {
    let decisive = agreeing(gate).filter(follows)
    guard let value = history.state.value(ofGate: gate),
      history.state.network.kinds[gate].isDominated(by: value)
    else { return decisive }
    let first = history.state.decider(ofGate: gate)
    return (decisive.first { Int($0.source) == first } ?? decisive.first).map { [$0] } ?? []
  }

  /// Returns the operands of a gate that have the same value as the gate.
  private func agreeing(_ gate: Int) -> [OperandIndex.Operand] {
    guard let value = history.state.value(ofGate: gate) else { return [] }
    return history.operands[gate].filter { history.state.value(of: $0) == value }
  }

  private mutating func decideGates() {
    var pending = [(gate: root, isEntered: false)]
    while let (gate, isEntered) = pending.popLast() {
      guard decided[gate] == nil, let value = history.state.value(ofGate: gate) else { continue }
      let agreeing = agreeing(gate)
      if isEntered {
        let isDominated = history.state.network.kinds[gate].isDominated(by: value)
        let isConstant = history.state.decider(ofGate: gate) == nil
        decided[gate] =
          isConstant
          || (isDominated ? agreeing.contains(where: follows) : agreeing.allSatisfy(follows))
      } else {
        pending.append((gate, true))
        pending += agreeing.map { Int($0.source) }.filter { isGate($0) }.map { ($0, false) }
      }
    }
  }

  private func isGate(_ row: Int) -> Bool { history.state.network.kind(ofRow: row) == .gate }

  private func follows(_ operand: OperandIndex.Operand) -> Bool {
    let row = Int(operand.source)
    return isGate(row) ? decided[row] ?? false : isKnown(operand)
  }
}

/// The supposition that everything is known about some pebbles, and nothing about the others.
private struct KnownPebbles {
  private let pebbles: Set<Int>
  private let network: ReadinessNetwork

  init(_ pebbles: Set<Int>, _ history: DecisionHistory) {
    self.pebbles = pebbles
    network = history.state.network
  }

  func decides(_ operand: OperandIndex.Operand) -> Bool {
    let row = Int(operand.source)
    let isCase = network.kind(ofRow: row) == .pebbleCase
    return pebbles.contains(isCase ? network.cases[row].pebble : row)
  }
}

/// The supposition that only some literals are known.
private struct KnownLiterals {
  private let network: ReadinessNetwork
  private let history: DecisionHistory
  private let rows: Set<Int>

  /// The outcomes that the literals leave possible for each pebble.
  private var outcomes: [Int: OutcomeSet] = [:]

  init(_ literals: [DecidingClause.Literal], _ history: DecisionHistory) {
    network = history.state.network
    self.history = history
    rows = Set(literals.lazy.filter { $0.pebbleCase != nil }.map(\.row))
    for literal in literals {
      let isTrue = history.state.value(of: literal.operand) == true
      var possible = isTrue ? literal.outcomes : literal.outcomes.complement
      if let one = literal.pebbleCase {
        let holds = isTrue != literal.outcomes.contains(.failed)
        possible = holds ? one.outcomes : .settled
      }
      outcomes[literal.pebble] = outcomes[literal.pebble, default: .settled].intersection(possible)
    }
  }

  /// Returns whether the literals determine the value of an atom.
  func decide(_ operand: OperandIndex.Operand) -> Bool {
    let row = Int(operand.source)
    let one = network.kind(ofRow: row) == .pebbleCase ? network.cases[row] : nil
    if one != nil, rows.contains(row) { return true }
    // A pebble that no literal mentions may not have settled.
    guard let known = outcomes[one?.pebble ?? row] else { return false }
    // A case does not hold if its pebble ended with another outcome.
    if let one { return known.isDisjoint(with: one.name.outcomes) }
    return history.state.value(of: operand) == true
      ? known.isSubset(of: operand.outcomes) : known.isDisjoint(with: operand.outcomes)
  }
}
