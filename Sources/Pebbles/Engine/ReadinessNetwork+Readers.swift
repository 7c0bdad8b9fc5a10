extension ReadinessNetwork {
  /// A pebble that reads the outcome of another one.
  package struct Reader: Sendable, Hashable {
    package let pebble: Int

    /// The outcomes with which one of its atoms is false.
    fileprivate let rejected: OutcomeSet

    /// Those of them with which its condition is false, whatever else happens.
    fileprivate let blocked: OutcomeSet

    /// Its atoms on cases: with the outcome of the case, they are as the case is.
    package fileprivate(set) var cases: Set<CaseAtom> = []

    /// Whether the reader, if it is skipped, is so because of that, whatever the cases are: one of
    /// its atoms on the pebble is false.
    package func rejects(_ event: Event) -> Bool { rejected.accepts(event) }

    /// Whether it may be, as the cases may be.
    package func mayReject(_ event: Event) -> Bool {
      rejected.accepts(event) || cases.contains { $0.outcomes.accepts(event) }
    }

    /// Whether the reader is skipped then, as can be seen from its condition.
    package func isSurelySkipped(after event: Event) -> Bool { blocked.accepts(event) }
  }

  /// An atom on a case of a pebble.
  package struct CaseAtom: Sendable, Hashable {
    /// The row of the case.
    package let row: Int

    /// The outcome that the case is a part of.
    package let outcomes: OutcomeSet

    /// Whether it is true without the case.
    package let isNegated: Bool
  }

  /// The pebbles that have an atom on a pebble in their conditions.
  ///
  /// - Parameters:
  ///   - pebble: The pebble that they read.
  ///   - isLeftOut: Whether conditions are taken to be without an edge, given the row that it
  ///     starts from.
  /// - Returns: Each once.
  /// - Complexity: O(atoms above it).
  package func readers(
    of pebble: Int, without isLeftOut: (Int, Edge) -> Bool = { _, _ in false }
  ) -> [Reader] {
    var known: [Int: (rejected: OutcomeSet, blocked: OutcomeSet)] = [:]
    var found: [Int] = []
    var pending: [Int] = []
    var caseAtoms: [Int: Set<CaseAtom>] = [:]
    func add(_ row: Int, _ edge: Edge, _ rejected: OutcomeSet, _ blocked: OutcomeSet) {
      if isLeftOut(row, edge) { return }
      let gate = edge.gate
      let isPassedOn = kinds[gate] == .all || operandCounts[gate] == 1
      let passed = isPassedOn ? blocked : []
      if let before = known[gate] {
        let isNew =
          !before.rejected.isSuperset(of: rejected) || !before.blocked.isSuperset(of: passed)
        guard isNew else { return }
        known[gate] = (before.rejected.union(rejected), before.blocked.union(passed))
      } else {
        known[gate] = (rejected, passed)
        if gate < pebbleCount { found.append(gate) }
      }
      if gate >= pebbleCount { pending.append(gate) }
    }
    for edge in edges(from: pebble) where !cases.rows.contains(edge.gate) {
      let rejected = edge.outcomes.complement
      add(pebble, edge, rejected, rejected)
    }
    for row in cases.rows(of: pebble) {
      let outcomes = cases[row].name.outcomes
      for edge in edges(from: row) where !isLeftOut(row, edge) {
        // With its own outcome, a case may hold or not: that decides nothing for sure.
        let isNegated = edge.outcomes.contains(.failed)
        let rejected = isNegated ? [] : outcomes.complement
        add(row, edge, rejected, rejected)
        let atom = CaseAtom(row: row, outcomes: outcomes, isNegated: isNegated)
        caseAtoms[edge.gate, default: []].insert(atom)
      }
    }
    while let gate = pending.popLast() {
      guard let (rejected, blocked) = known[gate] else { continue }
      for edge in edges(from: gate) { add(gate, edge, rejected, blocked) }
    }
    if !caseAtoms.isEmpty { passUp(&caseAtoms, without: isLeftOut) }
    return found.map {
      Reader(
        pebble: $0, rejected: known[$0]?.rejected ?? [], blocked: known[$0]?.blocked ?? [],
        cases: caseAtoms[$0] ?? [])
    }
  }

  /// Brings atoms on cases from the gates that they are operands of up to the pebbles.
  private func passUp(
    _ atoms: inout [Int: Set<CaseAtom>], without isLeftOut: (Int, Edge) -> Bool
  ) {
    var pending = Array(atoms.keys)
    while let gate = pending.popLast() {
      guard gate >= pebbleCount else { continue }
      for edge in edges(from: gate) where !isLeftOut(gate, edge) {
        let count = atoms[edge.gate]?.count ?? 0
        atoms[edge.gate, default: []].formUnion(atoms[gate] ?? [])
        if atoms[edge.gate]?.count != count { pending.append(edge.gate) }
      }
    }
  }
}
