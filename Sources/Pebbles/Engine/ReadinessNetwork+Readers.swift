extension ReadinessNetwork {
  /// A pebble that reads the outcome of another pebble, the *source*.
  package struct Reader: Sendable, Hashable {
    package let pebble: Int

    /// The outcomes of the source that make one of the reader's atoms false.
    fileprivate let rejected: OutcomeSet

    /// The outcomes of the source that are known to make the whole condition of the reader false,
    /// regardless of the outcomes of all other pebbles. An outcome that makes several operands of
    /// one OR false may be missing.
    fileprivate let blocked: OutcomeSet

    /// The reader's atoms on cases of the source. If the source ends with the outcome of a case,
    /// the value of an atom on this case depends on whether the case holds.
    package fileprivate(set) var cases: Set<CaseAtom> = []

    /// Returns whether `event` makes one of the reader's atoms on the source false, regardless of
    /// the cases that hold. If so, and if the reader is skipped, `event` is the reason for the
    /// skip.
    package func rejects(_ event: Event) -> Bool { rejected.accepts(event) }

    /// Returns whether `event` can make one of the reader's atoms on the source false, depending on
    /// the cases that hold.
    package func mayReject(_ event: Event) -> Bool {
      rejected.accepts(event) || cases.contains { $0.outcomes.accepts(event) }
    }

    /// Returns whether `event` is known to make the condition of the reader false, regardless of
    /// all other pebbles. If it is, the reader is sure to be skipped. The result can be `false` for
    /// an event that makes several operands of one OR false.
    package func isSurelySkipped(after event: Event) -> Bool { blocked.accepts(event) }
  }

  /// An atom of a reader on a case of the source.
  package struct CaseAtom: Sendable, Hashable {
    /// The row of the case.
    package let row: Int

    /// The outcome to which the case belongs, as a set.
    package let outcomes: OutcomeSet

    /// Whether the atom is true if the case does not hold.
    package let isNegated: Bool
  }

  /// Returns the pebbles whose conditions have an atom on the given pebble.
  ///
  /// - Parameters:
  ///   - pebble: The pebble whose readers are returned.
  ///   - isLeftOut: A function that decides whether to ignore an edge. It takes a row and an edge
  ///     that starts there.
  /// - Returns: The readers, without duplicates.
  /// - Complexity: O(atoms above the pebble).
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
        // If the pebble ends with the outcome of the case, the case may or may not hold. So this
        // outcome decides nothing for certain.
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

  /// Propagates case atoms upward from each gate that has them as operands, through the gates above
  /// it, to the pebbles whose conditions use those gates.
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
