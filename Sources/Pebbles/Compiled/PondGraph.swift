/// An immutable snapshot of a definition, with the names and conditions of its pebbles in
/// definition order.
package struct PondGraph: Sendable {
  package let definition: PondDefinition
  package let names: StableSlice<String>

  /// The revision of the definition at the time of the snapshot.
  let revision: Int

  /// The given conditions of the pebbles: those passed as `when:`, or assigned to `Pebble.ready`.
  let conditions: ConditionTable

  /// The conditions implied by the inputs of the pebbles, keyed by the position of the pebble. Each
  /// is a word of `conditions`. Pebbles without inputs are omitted.
  let needs: [UInt32: ConditionTable.Word]

  /// The clusters that were added from other definitions, each directly before the clusters inside
  /// it.
  package let clusters: [PondCluster]

  /// The goal of a run; `nil` if the pond has no goal.
  package let goal: Condition?

  /// The cases of the pebbles, keyed by position. Pebbles without cases are omitted.
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

  /// Returns the complete condition of a pebble as a tree: the condition that its inputs imply,
  /// joined by AND with its given condition.
  package func condition(of pebble: Int) -> Condition {
    let given = givenCondition(of: pebble)
    guard let implied = impliedCondition(of: pebble) else { return given }
    guard case .constant(true) = given.expression else { return (implied && given).tree }
    return implied
  }

  /// Returns whether a pebble takes the outputs or outcomes of other pebbles as inputs.
  package func hasInputs(_ pebble: Int) -> Bool { needs[UInt32(pebble)] != nil }

  /// Returns the given condition of a pebble: the one passed as `when:`, or assigned to
  /// `Pebble.ready`.
  package func givenCondition(of pebble: Int) -> Condition {
    conditions.condition(conditions[pebble], of: definition)
  }

  /// Returns the condition that the inputs of a pebble imply; `nil` if the pebble has no inputs.
  package func impliedCondition(of pebble: Int) -> Condition? {
    needs[UInt32(pebble)].map { conditions.condition($0, of: definition) }
  }

  /// Returns the atoms of the condition that the inputs of a pebble imply; empty if the pebble has
  /// no inputs.
  ///
  /// - Complexity: O(*n*), where *n* is the number of operands of the implied condition.
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

  /// Returns the pebbles whose outputs or outcomes a pebble takes as inputs, in ascending order.
  ///
  /// - Complexity: O(*n* + *p* log *p*), where *n* is the number of operands of the implied
  ///   condition and *p* is the number of pebbles in the result.
  package func pebblesRead(by pebble: Int) -> [Int] {
    Set(needs(of: pebble).compactMap { position(of: $0.pebble) }).sorted()
  }

  /// Returns the pebbles that a pebble mentions in its condition or takes as inputs, in ascending
  /// order.
  ///
  /// - Complexity: O(*n* + *p* log *p*), where *n* is the number of operands of the condition and
  ///   *p* is the number of pebbles in the result.
  func pebblesMentioned(by pebble: Int) -> [Int] {
    Set(atoms(of: condition(of: pebble)).compactMap { position(of: $0.pebble) }).sorted()
  }
}

extension PondGraph {
  /// The index of each pebble's innermost cluster; `nil` for a pebble that is not in a cluster.
  var innermostClusters: [Int?] {
    var innermost = [Int?](repeating: nil, count: names.count)
    // Outer clusters come before the clusters inside them.
    for (number, cluster) in clusters.enumerated() {
      for pebble in cluster.pebbles { innermost[pebble] = number }
    }
    return innermost
  }

  /// Returns the name of a pebble without the prefix of its cluster.
  func shortName(of pebble: Int, in cluster: Int?) -> String {
    let name = names[pebble]
    guard let cluster else { return name }
    let prefix = PondCluster.name("", inside: clusters[cluster].name)
    // Drops scalars instead of characters, because the slash and an accent after it form one
    // character.
    return String(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
  }
}

extension PondGraph {
  /// Returns the position of a pebble that a trait of another pebble mentions; `nil` if the graph
  /// does not contain the mentioned pebble.
  ///
  /// A pebble is mentioned by handle or by name. A name is looked up first in the innermost cluster
  /// that contains the mentioning pebble, then in the enclosing clusters, and then in the whole
  /// pond.
  func position(
    of other: PebbleID, mentionedBy pebble: Int, _ placement: Placement?
  ) -> Int? {
    switch other.kind {
    case .handle(let reference):
      return placement?.knownPosition(of: reference) ?? position(of: reference)
    case .name(let name):
      // Outer clusters come before the clusters inside them.
      for cluster in clusters.reversed() where cluster.pebbles.contains(pebble) {
        let inside = PondCluster.name(name, inside: cluster.name)
        if let position = cluster.pebbles.first(where: { names[$0] == inside }) {
          return position
        }
      }
      return names.firstIndex(of: name)
    }
  }
}
