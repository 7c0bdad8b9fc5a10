/// Whether a pebble takes care of the failure of another one: for `check()`, and for the policies
/// that cancel a run.
package enum FailureHandling: Hashable, Sendable {
  /// A pebble that reads it has run, or is running.
  case certain
  /// This pebble may still run, and would handle it. Others may as well.
  case possible(by: Int)
  case none
}

/// Who handles failures: the one place that says what that means.
///
/// A failure is handled when a pebble that *reads* it ran: one that has an atom on the failed
/// pebble, whichever outcomes that accepts. A reader that was skipped
/// because of the failure hands it on: who reads that skip, and runs, handles the failure too; and
/// so on. A reader is skipped *because* of what it reads if an atom on that is false.
/// What was cancelled, or disabled, hands on
/// nothing.
///
/// So handling follows from how pebbles end, whenever they do: once it is certain, or there is
/// none, it stays so.
///
/// What is found is remembered, as failures often share those that they are handed on by: all
/// questions of a run take O(pebbles + atoms) together, apart from cycles, if there are no others
/// than which pebbles settled in between.
package struct FailureHandlers: Sendable {
  /// A pebble that failed, or was skipped because of what it reads.
  private struct Link {
    let event: Event
    let readers: [ReadinessNetwork.Reader]

    /// The first reader that may be of use: those before it never are.
    var next = 0
    var known: FailureHandling?
  }

  /// A pebble whose readers are looked at.
  private struct Visit {
    let pebble: Int
    var place: Int

    /// Whether a reader was passed over that is being looked at further out, in a cycle.
    var isInCycle = false
  }

  private enum Step {
    case found(FailureHandling)
    case handedOn(by: Int)
    case looksInCycle
    case isOfNoUse
  }

  private let network: ReadinessNetwork
  private var links: [Int: Link] = [:]

  package init(_ network: ReadinessNetwork) {
    self.network = network
  }

  /// Whether the failure of a pebble is handled. While the run goes on, a pebble that may still run
  /// can hide that another one does.
  ///
  /// - Parameters:
  ///   - pebble: A pebble that has failed.
  ///   - status: How each pebble stands. May change from call to call, forwards.
  ///   - caseHolds: Whether the case of a row holds, of a pebble that has settled.
  /// - Returns: Whether a pebble handles it, or may.
  package mutating func handling(
    ofFailure pebble: Int, status: (Int) -> PebbleStatus, caseHolds: (Int) -> Bool
  ) -> FailureHandling {
    if let known = known(pebble, status) { return known }
    var visited: Set<Int> = [pebble]
    var path = [visit(pebble, .failed)]
    while var visit = path.popLast() {
      switch step(of: visit, visited, status, caseHolds) {
      case .found(let handling):
        links[visit.pebble]?.known = handling
        for outer in path { links[outer.pebble]?.known = handling }
        return handling
      case .handedOn(let reader):
        visited.insert(reader)
        path += [visit, self.visit(reader, .skipped)]
      case .looksInCycle:
        visit.isInCycle = true
        visit.place += 1
        path.append(visit)
      case .isOfNoUse:
        visit.place += 1
        if !visit.isInCycle { links[visit.pebble]?.next = visit.place }
        path.append(visit)
      case nil where visit.isInCycle:
        if let last = path.indices.last { path[last].isInCycle = true }
      case nil:
        links[visit.pebble]?.known = FailureHandling.none
      }
    }
    // None of them leads anywhere, be it in cycles.
    for pebble in visited { links[pebble]?.known = FailureHandling.none }
    return .none
  }

  /// The same of a run under way, or over.
  package mutating func handling(
    ofFailure pebble: Int, in state: ReadinessState
  ) -> FailureHandling {
    handling(
      ofFailure: pebble, status: state.status(of:),
      caseHolds: { state.value(ofGate: $0) == true })
  }

  private mutating func visit(_ pebble: Int, _ event: Event) -> Visit {
    var link = links[pebble] ?? Link(event: event, readers: network.readers(of: pebble))
    link.known = nil
    links[pebble] = link
    return Visit(pebble: pebble, place: link.next)
  }

  /// What is known of a pebble, and still so.
  private func known(_ pebble: Int, _ status: (Int) -> PebbleStatus) -> FailureHandling? {
    guard let known = links[pebble]?.known else { return nil }
    if case .possible(let handler) = known, status(handler) != .waiting { return nil }
    return known
  }

  /// What the next reader is good for; `nil` if there is none left.
  private func step(
    of visit: Visit, _ visited: Set<Int>, _ status: (Int) -> PebbleStatus,
    _ caseHolds: (Int) -> Bool
  ) -> Step? {
    guard let link = links[visit.pebble], visit.place < link.readers.count else { return nil }
    let reader = link.readers[visit.place]
    switch status(reader.pebble) {
    case .running, .succeeded, .failed: return .found(.certain)
    case .waiting: return .found(.possible(by: reader.pebble))
    case .skippedByCancellation, .skippedAsDisabled, .skippedByHolder: return .isOfNoUse
    case .skippedByCondition, .skippedByStall: break
    }
    guard reader.isSkippedBecause(of: link.event, caseHolds: caseHolds) else { return .isOfNoUse }
    switch known(reader.pebble, status) {
    case .some(.none): return .isOfNoUse
    case .some(let handling): return .found(handling)
    case nil: return visited.contains(reader.pebble) ? .looksInCycle : .handedOn(by: reader.pebble)
    }
  }
}

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

    /// Whether the reader, if it was skipped, was so because of that.
    ///
    /// - Parameters:
    ///   - event: How the pebble ended that it reads.
    ///   - caseHolds: Whether the case of a row holds.
    /// - Returns: Whether one of its atoms on the pebble is false.
    package func isSkippedBecause(of event: Event, caseHolds: (Int) -> Bool) -> Bool {
      rejected.accepts(event)
        || cases.contains { $0.outcomes.accepts(event) && caseHolds($0.row) == $0.isNegated }
    }

    /// Whether it was, whatever the cases are.
    package func rejects(_ event: Event) -> Bool { rejected.accepts(event) }

    /// Whether it may have been, as the cases may be.
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
