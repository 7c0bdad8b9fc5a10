import Pebbles

/// The cases of a pebble for one outcome, expressed as a sequence of choices. Every sequence is
/// possible, and no two sequences lead to the same cases.
///
/// Each named case is a separate choice. If the pebble timed out, its body threw nothing, so no
/// named case of *failed* holds. Values are mutually exclusive, so a value is a choice only if no
/// earlier value was chosen. If the values are exhaustive, the last value follows from the others.
/// For example, the exhaustive values `heads` and `tails` need only one choice: whether `heads`
/// holds. If it does not, `tails` holds.
///
/// Values mentioned in conditions come first, so choices about other values do not affect them.
struct CaseChoices {
  /// The row of the case for a timeout; `nil` if the pebble has no such case. After a timeout, no
  /// named case holds.
  let timeout: Int?

  /// The rows of the named cases.
  let named: [Int]

  /// The rows of the values, in the order in which they are chosen.
  let values: [Int]

  /// The row of the value that holds if no other value does; `nil` if the values are not
  /// exhaustive.
  let last: Int?

  /// Creates the choices for the cases that a pebble can have after an outcome.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - outcomes: The outcome, as a set: `.succeeded` or `.failed`.
  ///   - pond: The pond that contains the pebble.
  init(of pebble: Int, _ outcomes: OutcomeSet, in pond: PondLogic) {
    let network = pond.network
    let rows = network.cases.rows(of: pebble).filter {
      network.cases[$0].name.outcomes == outcomes
    }
    let isValue = { (row: Int) in network.cases[row].name.isValue }
    timeout = rows.first { network.cases[$0].name == .timedOut }
    named = rows.filter { [timeout] in !isValue($0) && $0 != timeout }
    let values = rows.filter(isValue)
    let ordered = values.filter(network.isMentioned) + values.filter { !network.isMentioned($0) }
    let isExhaustive = pond.graph.cases[pebble]?.isExhaustive == true
    last = isExhaustive ? ordered.last : nil
    self.values = isExhaustive ? ordered.dropLast() : ordered
  }

  /// The rows that can be chosen.
  var rows: [Int] { (timeout.map { [$0] } ?? []) + named + values }

  /// Chooses the cases that hold.
  ///
  /// - Parameters:
  ///   - isAsked: A closure that returns whether the choice of the case at a row matters. If the
  ///     closure returns `false` for a value, it must also return `false` for all later values.
  ///   - choose: A closure that returns whether the case at a row is chosen. It is called only if
  ///     `isAsked` returns `true` for the row.
  /// - Returns: The rows of the cases that hold: the chosen rows, and ``last`` if `isAsked`
  ///   returned `true` for all other values and none of them was chosen.
  func choose(asking isAsked: (Int) -> Bool, _ choose: (Int) -> Bool) -> [Int] {
    if let timeout, isAsked(timeout), choose(timeout) { return [timeout] }
    var holding = named.filter { isAsked($0) && choose($0) }
    var areAllAsked = true
    for row in values {
      guard isAsked(row) else {
        areAllAsked = false
        continue
      }
      if choose(row) { return holding + [row] }
    }
    if let last, areAllAsked { holding.append(last) }
    return holding
  }
}

extension ReadinessNetwork {
  /// Returns whether any condition mentions the case at a row.
  package func isMentioned(_ row: Int) -> Bool { offsets[row] < offsets[row + 1] }
}

extension PondModel {
  /// The rows of all cases mentioned in conditions.
  var mentionedCases: Set<Int> {
    Set(pond.network.cases.rows.filter(pond.network.isMentioned))
  }

  /// Returns the rows of all cases mentioned in the pond's conditions or in `condition`. If only
  /// `condition` mentions a value, all values of the same pebble are included, because each value
  /// depends on the others.
  func mentionedCases(and condition: Condition) -> Set<Int> {
    var rows = mentionedCases
    let network = pond.network
    for atom in condition.caseAtoms {
      guard let pebble = position(of: atom.pebble), let place = atom.casePlace else { continue }
      let all = network.cases.rows(of: pebble)
      guard place < all.count else { continue }
      let row = all.lowerBound + place
      guard rows.insert(row).inserted else { continue }
      if network.cases[row].name.isValue {
        rows.formUnion(all.filter { network.cases[$0].name.isValue })
      }
    }
    return rows
  }

  /// Decides which cases hold for a pebble.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - outcomes: The outcome of the pebble.
  ///   - asked: The rows of the cases to decide. No other case holds, except the last of the
  ///     exhaustive values, which follows from the decisions about the others.
  ///   - decide: A closure that returns whether a case is chosen; called only for cases in `asked`.
  /// - Returns: The set of the cases that hold.
  func cases(
    of pebble: Int, _ outcomes: OutcomeSet, asking asked: Set<Int>,
    _ decide: (ScenarioVariable) -> Bool
  ) -> CaseSet {
    guard !pond.network.cases.rows(of: pebble).isEmpty else { return CaseSet() }
    let choices = CaseChoices(of: pebble, outcomes, in: pond)
    return caseSet(ofRows: choices.choose(asking: asked.contains) { decide(.case($0)) })
  }

  /// Returns the set of the cases at the given rows. The cases must belong to the same pebble,
  /// because the set identifies each case by its index among the pebble's cases.
  func caseSet(ofRows rows: [Int]) -> CaseSet {
    rows.reduce(into: CaseSet()) { $0.insert(place: pond.network.cases[$1].place) }
  }
}

extension Condition {
  /// The atoms that refer to cases of pebbles.
  ///
  /// - Complexity: O(operands).
  var caseAtoms: [Atom] {
    var atoms: [Atom] = []
    func note(_ condition: Condition) {
      if case .atom(let atom) = condition.expression, atom.casePlace != nil { atoms.append(atom) }
    }
    note(self)
    var known: Set<ObjectIdentifier> = []
    forEachCompound(unless: { known.contains(ObjectIdentifier($0)) }) { node in
      known.insert(ObjectIdentifier(node))
      for operand in node.operands { note(operand) }
    }
    return atoms
  }
}
