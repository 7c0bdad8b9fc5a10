import Pebbles

/// A reader for a condition table. In the table, operands must precede the operators that use them.
/// A condition therefore cannot contain itself, and can be read without recursion.
struct ConditionTableReader {
  private let definition: PondDefinition
  private let pebbleCount: Int

  /// The cases of each pebble that has cases, keyed by the position of the pebble.
  private let cases: [Int: CaseList]
  private var table: [Condition] = []

  /// The sizes of the conditions in the table. The size of a condition is the number of operators,
  /// atoms and constants that are compiled for it. A part that is compiled only once counts as one
  /// operand wherever it is used. Any other part counts in full wherever it is used.
  private var sizes: [Int] = []

  /// The total size of all conditions read so far. The time needed to compile the conditions
  /// depends on this size.
  private var total = 0

  /// Creates a reader for the conditions of a definition.
  ///
  /// - Parameters:
  ///   - definition: The definition that contains, or will contain, the pebbles that the conditions
  ///     mention.
  ///   - pebbleCount: The number of pebbles in the complete definition.
  ///   - cases: The cases of each pebble that has cases, keyed by the position of the pebble.
  init(of definition: PondDefinition, pebbleCount: Int, cases: [Int: CaseList]) {
    self.cases = cases
    self.definition = definition
    self.pebbleCount = pebbleCount
  }

  mutating func read(_ list: JSONValue) throws(JSONError) {
    for entry in try list.elements() {
      let operation = try operation(entry)
      let operands = try operands(entry)
      var size = 1
      for value in operands { size += cost(of: value) }
      try add(size, entry)
      sizes.append(size)
      table.append(Condition(operation, operands.map(\.condition)))
    }
  }

  /// Reads a condition that is not an entry of the table, such as the condition of a pebble.
  mutating func condition(_ value: JSONValue) throws(JSONError) -> Condition {
    let operand = try operand(value)
    try add(cost(of: operand), value)
    return operand.condition
  }

  private func cost(of operand: Operand) -> Int {
    guard let position = operand.position, case .compound(let node) = operand.condition.expression
    else { return 1 }
    return node.isCompiledOnce ? 1 : sizes[position]
  }

  private mutating func add(_ size: Int, _ value: JSONValue) throws(JSONError) {
    total += size
    // The network stores the numbers of operators in 28 bits.
    guard total <= min(value.limits.values, 1 << 27) else {
      throw value.fault("with this one, the conditions are too long to be written out")
    }
  }

  /// A condition, together with its position in the table if the condition is an entry of the
  /// table.
  private struct Operand {
    let condition: Condition
    var position: Int?
  }

  private func operation(_ entry: JSONValue) throws(JSONError) -> Compound.Operation {
    // The operator determines which other keys are allowed.
    if entry["all"] != nil { return .all }
    if entry["any"] != nil { return .any }
    if entry["not"] != nil { return .not }
    if let label = entry["label"] { return .labeled(try label.string()) }
    guard entry["predicate"] == nil else { throw entry.predicateRefusal }
    throw entry.fault("there should be an object with \"all\", \"any\", \"not\" or \"label\" here")
  }

  private func operands(_ entry: JSONValue) throws(JSONError) -> [Operand] {
    if entry["all"] != nil { return try operands(in: try entry.object(["all"]).required("all")) }
    if entry["any"] != nil { return try operands(in: try entry.object(["any"]).required("any")) }
    if entry["not"] != nil {
      return [try operand(try entry.object(["not"]).required("not"))]
    }
    return [try operand(try entry.object(["label", "of"]).required("of"))]
  }

  private func operands(in list: JSONValue) throws(JSONError) -> [Operand] {
    var operands: [Operand] = []
    for value in try list.elements() { operands.append(try operand(value)) }
    return operands
  }

  /// Reads a condition: a truth value, an atom, or the position of a condition that is already in
  /// the table.
  private func operand(_ value: JSONValue) throws(JSONError) -> Operand {
    switch value.kind {
    case .true: return Operand(condition: .always)
    case .false: return Operand(condition: .never)
    case .number:
      let position = try value.position(in: table.count, "condition before this one")
      return Operand(condition: table[position], position: position)
    case .object:
      return Operand(condition: Condition(.atom(try atom(value))))
    case .array, .key, .string, .null:
      throw value.fault(
        "there should be a condition here: true, false, a place in the table, or an object with "
          + "\"pebble\" and \"is\"")
    }
  }

  private func atom(_ value: JSONValue) throws(JSONError) -> Atom {
    let atom = try value.object(["pebble", "is", "case"])
    let pebble = try pebble(atom.required("pebble"))
    let list = try atom.required("is")
    let outcomes = try outcomes(list)
    guard let place = atom["case"] else { return Atom(pebble: pebble, outcomes: outcomes) }
    let known = cases[Int(pebble.index)]?.cases ?? []
    let position = try place.position(in: known.count, "case")
    let positive = Atom(pebble: pebble, case: position, of: known[position])
    for atom in [positive, positive.complement] where atom.outcomes == outcomes { return atom }
    throw list.fault(
      "this should be the outcome of the case or, if the case is negated, the other outcomes")
  }

  private func pebble(_ value: JSONValue) throws(JSONError) -> PebbleReference {
    let position = try value.position(in: pebbleCount, "pebble")
    return PebbleReference(definition: definition, index: UInt32(position))
  }

  private func outcomes(_ list: JSONValue) throws(JSONError) -> OutcomeSet {
    var outcomes: OutcomeSet = []
    for value in try list.elements() {
      let event = try value.event()
      guard outcomes.insert(OutcomeSet(event)).inserted else {
        throw value.fault("\"\(event.word)\" is here twice")
      }
    }
    return outcomes
  }
}
