/// The new body of a pebble in a copy of its definition, and the teardown that belongs to it.
struct Replacement: ~Copyable {
  /// The body; for a service, a body that does nothing.
  let body: Body
  let service: ServiceBody?

  /// The conditions that the inputs of the new body imply.
  var needs: [Condition] = []
  var teardown: PebbleOptions.TeardownBody?
}

extension PondDefinition {
  /// Returns a copy of a snapshot's definition in which one pebble has a new body.
  ///
  /// The copy shares the conditions of the original: the pebbles that the conditions mention are
  /// also pebbles of the copy.
  ///
  /// - Complexity: O(pebbles).
  static func copy(
    of contents: DefinitionSnapshot, replacing pebble: Int, with replacement: consuming Replacement
  ) -> PondDefinition {
    var state = State(contents.conditions)
    state.needs = contents.needs
    state.options = contents.options
    state.cases = contents.cases
    state.goal = contents.goal
    state.clusters = contents.clusters
    state.replace(pebble, of: contents.definition, needing: replacement.needs)
    state.options[UInt32(pebble)] = (contents.options[UInt32(pebble)] ?? .none)
      .replacing(teardown: replacement.teardown, service: replacement.service)
    var body = Optional(replacement.body)
    for (position, name) in contents.names.enumerated() {
      state.names.append(name)
      if position == pebble, let body = body.take() {
        state.bodies.append(body)
      } else {
        state.bodies.append(contents.bodies.address(of: position).pointee.copy())
      }
    }
    let definition = contents.definition
    let original = OriginalDefinition(
      definition: definition, pebbleCount: UInt32(contents.names.count))
    return PondDefinition(
      pondName: definition.pondName, contents.pondOptions, state,
      originals: definition.originals + [original])
  }
}

extension PondDefinition.State {
  /// Makes a pebble wait for the conditions implied by the inputs of its new body, in addition to
  /// its existing conditions.
  fileprivate mutating func replace(
    _ pebble: Int, of definition: PondDefinition, needing inputs: [Condition]
  ) {
    let known = needs[UInt32(pebble)].map { conditions.condition($0, of: definition) }
    let waits = Set((known?.atoms ?? []).map(definition.relocated))
    let new = inputs.filter { !waits.isSuperset(of: $0.atoms.map(definition.relocated)) }
    guard !new.isEmpty else { return }
    let all = Condition.all((known.map { [$0] } ?? []) + new)
    needs[UInt32(pebble)] = conditions.pack(all, of: definition)
  }
}

extension PondDefinition {
  /// Returns an atom with its pebble replaced by the pebble's copy in this definition. Returns the
  /// atom unchanged if this definition is not a copy of the pebble's definition.
  fileprivate func relocated(_ atom: Atom) -> Atom {
    guard includes(atom.pebble) else { return atom }
    return atom.moved(to: PebbleReference(definition: self, index: atom.pebble.index))
  }
}

extension Condition {
  /// The atoms of a condition that is implied by one input, or by several inputs joined by AND.
  fileprivate var atoms: [Atom] {
    switch expression {
    case .constant: []
    case .atom(let atom): [atom]
    case .compound(let node): node.operands.flatMap(\.atoms)
    }
  }
}
