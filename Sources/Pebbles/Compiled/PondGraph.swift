/// A value snapshot of a definition: the names and conditions of its pebbles, in definition order.
package struct PondGraph: Sendable {
  package let definition: PondDefinition
  package let names: StableSlice<String>

  /// Which of the states of the definition this is.
  let revision: Int

  /// What `when:` gave, or `Pebble.ready` set later.
  let conditions: ConditionTable

  /// What `needs:` implies, for pebbles that have inputs, as words of `conditions`.
  let needs: [UInt32: ConditionTable.Word]

  /// What was taken in from other definitions: each cluster right before those inside of it.
  package let clusters: [PondCluster]

  /// What a run is for; `nil` if nothing was said.
  package let goal: Condition?

  /// The cases of pebbles that have any.
  package let cases: [Int: CaseList]

  init(_ snapshot: DefinitionSnapshot) {
    definition = snapshot.definition
    revision = snapshot.revision
    names = snapshot.names
    conditions = snapshot.conditions
    needs = snapshot.needs
    clusters = snapshot.clusters
    goal = snapshot.goal
    cases = snapshot.cases.reduce(into: [:]) { $0[Int($1.key)] = $1.value.list }
  }

  package var pondName: String { definition.pondName }

  /// The whole condition of a pebble, as a tree: what its inputs imply and what it was given.
  package func condition(of pebble: Int) -> Condition {
    let given = givenCondition(of: pebble)
    guard let implied = impliedCondition(of: pebble) else { return given }
    guard case .constant(true) = given.expression else { return (implied && given).tree }
    return implied
  }

  /// Whether a pebble takes the outputs of others.
  package func hasInputs(_ pebble: Int) -> Bool { needs[UInt32(pebble)] != nil }

  /// What `when:` gave, or `Pebble.ready` set later.
  package func givenCondition(of pebble: Int) -> Condition {
    conditions.condition(conditions[pebble], of: definition)
  }

  /// What the inputs of a pebble imply; `nil` if it has none.
  package func impliedCondition(of pebble: Int) -> Condition? {
    needs[UInt32(pebble)].map { conditions.condition($0, of: definition) }
  }

  /// What the inputs of a pebble need other pebbles to do.
  ///
  /// - Complexity: O(operands) of what they imply.
  package func needs(of pebble: Int) -> [Atom] {
    impliedCondition(of: pebble).map(atoms(of:)) ?? []
  }

  private func atoms(of condition: Condition) -> [Atom] {
    var atoms: [Atom] = []
    func note(_ expression: Condition.Expression) {
      if case .atom(let atom) = expression { atoms.append(atom) }
    }
    note(condition.expression)
    var known: Set<ObjectIdentifier> = []
    condition.forEachCompound(unless: { known.contains(ObjectIdentifier($0)) }) { node in
      known.insert(ObjectIdentifier(node))
      for operand in node.operands { note(operand.expression) }
    }
    return atoms
  }

  /// The pebbles whose outcomes a pebble is handed, ascending.
  ///
  /// - Complexity: O(operands) of what its inputs imply, and sorting the pebbles.
  package func pebblesRead(by pebble: Int) -> [Int] {
    Set(needs(of: pebble).compactMap { position(of: $0.pebble) }).sorted()
  }

  /// The pebbles that the condition of a pebble mentions, what its inputs imply with it, ascending.
  ///
  /// - Complexity: O(operands) of the condition, and sorting the pebbles.
  func pebblesMentioned(by pebble: Int) -> [Int] {
    Set(atoms(of: condition(of: pebble)).compactMap { position(of: $0.pebble) }).sorted()
  }
}
