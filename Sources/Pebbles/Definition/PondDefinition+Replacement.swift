/// What a definition was copied from. The pebbles that there were then stand in the copy where they
/// stand there, so handles and conditions of the original mean the copies as well.
struct OriginalDefinition: Sendable {
  let definition: PondDefinition
  let pebbleCount: UInt32
}

/// What a pebble of a copy has in the place of its body.
struct Replacement: ~Copyable {
  /// The body; of a service, nothing.
  let body: Body
  let service: ServiceBody?

  /// What its inputs imply.
  var needs: [Condition] = []
  var teardown: PebbleOptions.TeardownBody?
}

extension PondDefinition {
  /// Whether a pebble is one of this definition, or of one that this is a copy of.
  ///
  /// - Complexity: O(1); O(copies of copies) for a pebble of another definition.
  package func includes(_ pebble: PebbleReference) -> Bool {
    pebble.definition === self || pebble.index < sharedCount(with: pebble.definition)
  }

  /// Whether the other definition is this one, or one that this is a copy of.
  package func isDescended(from other: PondDefinition) -> Bool {
    other === self || originals.contains { $0.definition === other }
  }

  /// How many pebbles of another definition stand here where they stand there.
  func sharedCount(with other: PondDefinition) -> UInt32 {
    if other === self { return .max }
    return originals.first { $0.definition === other }?.pebbleCount ?? 0
  }

  /// A copy of the definition at the moment of a snapshot, in which a pebble has another body.
  ///
  /// Conditions are shared: the pebbles they mention are those of the copy as well.
  ///
  /// - Complexity: O(pebbles).
  static func copy(
    of contents: DefinitionSnapshot, replacing pebble: Int, with replacement: consuming Replacement
  ) -> PondDefinition {
    var state = State(contents.conditions)
    state.needs = contents.needs
    state.options = contents.options
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
      pondName: definition.pondName, definition.options, state,
      originals: definition.originals + [original])
  }
}

extension PondDefinition.State {
  /// Lets a pebble wait for the inputs of its new body, unless it does already.
  fileprivate mutating func replace(
    _ pebble: Int, of definition: PondDefinition, needing inputs: [Condition]
  ) {
    let known = needs[UInt32(pebble)].map { conditions.condition($0, of: definition) }
    let waits = Set((known?.atoms ?? []).map(definition.own))
    let new = inputs.filter { !waits.isSuperset(of: $0.atoms.map(definition.own)) }
    guard !new.isEmpty else { return }
    let all = Condition.all((known.map { [$0] } ?? []) + new)
    needs[UInt32(pebble)] = conditions.pack(all, of: definition)
  }
}

extension PondDefinition {
  /// An atom of this definition, if it is one of what this is a copy of.
  fileprivate func own(_ atom: Atom) -> Atom {
    guard includes(atom.pebble) else { return atom }
    let pebble = PebbleReference(definition: self, index: atom.pebble.index)
    return Atom(pebble: pebble, outcomes: atom.outcomes)
  }
}

extension Condition {
  /// The atoms of what inputs imply: of one, or of some that are joined by AND.
  fileprivate var atoms: [Atom] {
    switch expression {
    case .constant: []
    case .atom(let atom): [atom]
    case .compound(let node): node.operands.flatMap(\.atoms)
    }
  }
}
