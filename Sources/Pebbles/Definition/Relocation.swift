/// The new positions of pebbles that are copied from one definition to another.
struct Relocation {
  private let source: PondDefinition
  private let target: PondDefinition

  /// The number added to each pebble's position.
  let offset: Int

  /// The new position of each copied pebble, keyed by its old position; `nil` if the positions
  /// differ by `offset`.
  private let places: [UInt32: UInt32]?

  /// The number of pebbles that move by `offset`, beginning with the first pebble.
  private let count: Int

  /// Whether either definition may have changed since the pebbles were copied. If so, a case may
  /// have a different position in the copy, so it is looked up by name.
  private let findsCases: Bool

  /// The cases that the pebbles had when they were copied, keyed by the old position of the pebble;
  /// `nil` if no condition can mention a case that was added later.
  private let cases: [UInt32: CaseQuestions]?

  // Nodes are told apart by identity, so a caller that moves conditions has to keep the originals
  // alive.
  private var nodes: [ObjectIdentifier: Compound] = [:]
  private var placements: [ObjectIdentifier: Placement] = [:]
  private let placement: Placement

  init(
    from source: PondDefinition, to target: PondDefinition, offset: Int, count: Int,
    cases: [UInt32: CaseQuestions]? = nil, findsCases: Bool = false
  ) {
    self.source = source
    self.target = target
    self.offset = offset
    self.count = count
    self.findsCases = findsCases
    self.cases = cases
    places = nil
    placement = Placement(of: source, at: offset)
  }

  /// Creates the relocation of pebbles into a definition that contains only some of them. `places`
  /// contains the new positions, keyed by old position.
  init(from source: PondDefinition, to part: PondDefinition, _ places: [UInt32: UInt32]) {
    self.source = source
    target = part
    offset = 0
    count = 0
    findsCases = false
    cases = nil
    self.places = places
    placement = Placement(of: source, at: 0)
  }

  /// Returns the copy of a pebble at its new position, or the pebble itself if it has no copy.
  func moved(_ reference: PebbleReference) -> PebbleReference {
    guard let place = source.place(of: reference),
      let moved = places.map({ $0[place] }) ?? (place < count ? place + UInt32(offset) : nil)
    else { return reference }
    return PebbleReference(definition: target, index: moved)
  }

  /// Returns the condition with its pebbles at their new positions.
  ///
  /// The method is not recursive, so deep conditions are safe. Nodes shared by several moved
  /// conditions are also shared by the results, because separate copies might not fit into memory.
  ///
  /// - Complexity: O(*n*), where *n* is the number of operands of the nodes that have not been
  ///   moved before.
  mutating func moved(_ condition: Condition) -> Condition {
    let expression = condition.expression
    if case .compound(let root) = expression { move(root) }
    return movedOperand(Condition(expression))
  }

  private mutating func move(_ root: Compound) {
    var pending = [root]
    while let node = pending.last {
      let count = pending.count
      if nodes[ObjectIdentifier(node)] == nil {
        node.forEachOperand { operand in
          guard case .compound(let below) = operand else { return }
          if nodes[ObjectIdentifier(below)] == nil { pending.append(below) }
        }
        guard pending.count == count else { continue }
        nodes[ObjectIdentifier(node)] = Compound.make(
          node.operation, node.operands.map(movedOperand))
      }
      pending.removeLast()
    }
  }

  private func movedOperand(_ condition: Condition) -> Condition {
    switch condition.expression {
    case .constant: return condition
    case .atom(let atom):
      return Condition(.atom(moved(atom)))
    case .compound(let node):
      guard let moved = nodes[ObjectIdentifier(node)] else {
        preconditionFailure("a condition is moved before its operands")
      }
      return Condition(.compound(moved))
    }
  }

  private func moved(_ atom: Atom) -> Atom {
    let pebble = moved(atom.pebble)
    guard pebble != atom.pebble, let place = atom.casePlace else { return atom.moved(to: pebble) }
    guard findsCases else {
      // The pebble may be of a definition from which `source` was copied, and have more cases now.
      let copied = cases.map { $0[pebble.index - UInt32(offset)]?.list.cases.count ?? 0 }
      return place < copied ?? .max ? atom.moved(to: pebble) : atom.movedWithoutCase(to: pebble)
    }
    let known = source.cases(at: Int(atom.pebble.index)).cases
    guard place < known.count,
      let copy = target.cases(at: Int(pebble.index)).place(of: known[place])
    else { return atom }
    let found = Atom(pebble: pebble, case: copy, of: known[place])
    return atom.isNegatedCase ? found.complement : found
  }

  /// Returns the placement of a body after the relocation. `placement` is the placement before the
  /// relocation, or `nil` if the body has not been copied before. Bodies that shared the old
  /// placement share the new one.
  mutating func moved(_ placement: Placement?) -> Placement {
    guard let placement else { return self.placement }
    if let known = placements[ObjectIdentifier(placement)] { return known }
    let moved = placement.moved(by: offset, in: source)
    placements[ObjectIdentifier(placement)] = moved
    return moved
  }
}
