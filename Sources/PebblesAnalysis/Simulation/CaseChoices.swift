import Pebbles

/// The cases of a pebble as choices that do not depend on each other, so that every combination of
/// them is possible, and none stands for the same as another.
///
/// A named case is a choice for itself; but where nobody threw anything, as the time was over, none
/// of *failed* holds. Of values, which exclude each other, each is one only where
/// none before it has been chosen; and the last of all that there are follows from the others:
///
/// ```
/// heads: chosen        tails, of {heads, tails}: heads not chosen
/// ```
///
/// What conditions mention comes first, so that what they do not mention changes nothing for them.
struct CaseChoices {
  /// The row of the timeout, which excludes what is named.
  let timeout: Int?

  /// The rows of named cases.
  let named: [Int]

  /// The rows of values, in the order in which they are chosen.
  let values: [Int]

  /// The value that holds if no other one does, if that must be so.
  let last: Int?

  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - outcomes: The cases of which outcome are meant.
  ///   - pond: The pond.
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

  /// What can be chosen.
  var rows: [Int] { (timeout.map { [$0] } ?? []) + named + values }

  /// Chooses.
  ///
  /// - Parameters:
  ///   - isAsked: Whether the choice of a row makes a difference. Of values, none after one that
  ///     makes none may make one.
  ///   - choose: Asked of each.
  /// - Returns: The rows of the cases that hold, as far as that was asked.
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
  /// Whether a condition mentions the case of a row.
  package func isMentioned(_ row: Int) -> Bool { offsets[row] < offsets[row + 1] }
}

extension PondModel {
  /// The rows of the cases that conditions mention.
  var mentionedCases: Set<Int> {
    Set(pond.network.cases.rows.filter(pond.network.isMentioned))
  }

  /// The same with what a condition mentions besides. Of a value that is new all, as each depends
  /// on the others.
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

  /// Decides which cases hold of a pebble.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - outcomes: How it has ended.
  ///   - asked: The rows of the cases that are asked for; of the others none holds.
  ///   - decide: Asked of each of them.
  /// - Returns: The places of those that hold.
  func cases(
    of pebble: Int, _ outcomes: OutcomeSet, asking asked: Set<Int>,
    _ decide: (ScenarioVariable) -> Bool
  ) -> CaseSet {
    guard !pond.network.cases.rows(of: pebble).isEmpty else { return CaseSet() }
    let choices = CaseChoices(of: pebble, outcomes, in: pond)
    return caseSet(ofRows: choices.choose(asking: asked.contains) { decide(.case($0)) })
  }

  /// The cases of rows that hold, by the places that they have among those of their pebble.
  func caseSet(ofRows rows: [Int]) -> CaseSet {
    rows.reduce(into: CaseSet()) { $0.insert(place: pond.network.cases[$1].place) }
  }
}

extension Condition {
  /// The atoms on cases.
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
