import Pebbles

/// Reads a table of conditions. An operand can only be one that stands before, so no condition is
/// part of itself, and none is too deep to be read.
struct ConditionTableReader {
  private let definition: PondDefinition
  private let pebbleCount: Int
  private var table: [Condition] = []

  /// - Parameters:
  ///   - definition: The one that the pebbles of the conditions are or will be part of.
  ///   - pebbleCount: How many pebbles that has in the end.
  init(of definition: PondDefinition, pebbleCount: Int) {
    self.definition = definition
    self.pebbleCount = pebbleCount
  }

  mutating func read(_ list: JSONValue) throws(JSONError) {
    for entry in try list.elements() {
      table.append(Condition(try operation(entry), try operands(entry)))
    }
  }

  private func operation(_ entry: JSONValue) throws(JSONError) -> Compound.Operation {
    // Which other keys there may be hangs on the operator.
    if entry["all"] != nil { return .all }
    if entry["any"] != nil { return .any }
    if entry["not"] != nil { return .not }
    if let label = entry["label"] { return .labeled(try label.string()) }
    if let predicate = entry["predicate"] {
      let reads = try predicate.object(["reads"]).required("reads")
      var pebbles: [PebbleReference] = []
      for read in try reads.elements() { pebbles.append(try pebble(read)) }
      return .predicate(Predicate(reads: pebbles))
    }
    throw entry.fault(
      "there should be an object with \"all\", \"any\", \"not\", \"label\" or \"predicate\" here")
  }

  private func operands(_ entry: JSONValue) throws(JSONError) -> [Condition] {
    if entry["all"] != nil { return try conditions(try entry.object(["all"]).required("all")) }
    if entry["any"] != nil { return try conditions(try entry.object(["any"]).required("any")) }
    if entry["not"] != nil {
      return [try condition(try entry.object(["not"]).required("not"))]
    }
    if entry["label"] != nil {
      return [try condition(try entry.object(["label", "of"]).required("of"))]
    }
    _ = try entry.object(["predicate"])
    return []
  }

  private func conditions(_ list: JSONValue) throws(JSONError) -> [Condition] {
    var conditions: [Condition] = []
    for operand in try list.elements() { conditions.append(try condition(operand)) }
    return conditions
  }

  /// Reads a condition: a truth value, an atom, or a place in the table as far as it has been read.
  func condition(_ value: JSONValue) throws(JSONError) -> Condition {
    switch value.kind {
    case .true: return .always
    case .false: return .never
    case .number: return table[try value.position(in: table.count, "condition before this one")]
    case .object:
      let atom = try value.object(["pebble", "is"])
      let pebble = try pebble(atom.required("pebble"))
      return Condition(.atom(Atom(pebble: pebble, outcomes: try outcomes(atom.required("is")))))
    case .array, .key, .string, .null:
      throw value.fault(
        "there should be a condition here: true, false, a place in the table, or an object with "
          + "\"pebble\" and \"is\"")
    }
  }

  private func pebble(_ value: JSONValue) throws(JSONError) -> PebbleReference {
    let position = try value.position(in: pebbleCount, "pebble")
    return PebbleReference(definition: definition, index: UInt32(position))
  }

  private func outcomes(_ list: JSONValue) throws(JSONError) -> OutcomeSet {
    var outcomes: OutcomeSet = []
    for value in try list.elements() {
      let word = try value.string()
      guard let known = OutcomeSet.words.first(where: { $0.word == word }) else {
        throw value.fault("there should be \"succeeded\", \"failed\" or \"skipped\" here")
      }
      guard outcomes.insert(known.outcome).inserted else {
        throw value.fault("\"\(word)\" is here a second time")
      }
    }
    return outcomes
  }
}
