import Pebbles

/// A reader for ponds in the format described in the article "The JSON Format".
struct PondModelReader {
  static let format = "pond"
  static let version = 1

  /// The number of pebbles that may still be read from this pond and the rest of the document.
  private(set) var allowance: Int

  init(allowance: Int) {
    self.allowance = allowance
  }

  /// Reads a pond from the root of a document.
  static func model(_ root: JSONValue) throws(JSONError) -> PondModel {
    var reader = PondModelReader(allowance: root.limits.pebbles)
    return try reader.read(root)
  }

  mutating func read(_ value: JSONValue) throws(JSONError) -> PondModel {
    try value.checkFormat(Self.format, version: Self.version)
    let pond = try value.object([
      "format", "version", "name", "maxConcurrent", "onFailure", "conditions", "pebbles",
      "clusters", "goal",
    ])
    let list = try pond.required("pebbles")
    let count = try count(of: list)
    var clusters = ClusterReader(pebbleCount: count)
    try clusters.read(pond.required("clusters"))
    let definition = PondDefinition(
      pondName: try pond.required("name").string(),
      maxConcurrent: try pond["maxConcurrent"]?.integer(in: 1...Int.max),
      onFailure: try Self.policy(pond.required("onFailure")))
    // The definition and its conditions refer to each other, which would keep both alive.
    defer { definition.discard() }
    try Self.fill(
      definition, with: list, count: count, try pond.required("conditions"), goal: pond["goal"])

    definition.setClusters(clusters.clusters)
    let compiled = Program(definition).pond
    if let fault = compiled.faults.first {
      throw try Self.error(fault, others: compiled.faults.count - 1, in: list, of: value)
    }
    try clusters.check(compiled.graph.names, in: list)
    var model = PondModel(compiled)
    model.outputs = try Self.outputs(in: list)
    return model
  }

  private static func outputs(in list: JSONValue) throws(JSONError) -> [Bool] {
    var outputs: [Bool] = []
    for pebble in try list.elements() { outputs.append(try pebble["output"]?.bool() ?? false) }
    return outputs
  }

  private static func fill(
    _ definition: PondDefinition, with list: JSONValue, count: Int, _ table: JSONValue,
    goal: JSONValue?
  ) throws(JSONError) {
    let cases = try CaseReader.cases(in: list)
    definition.setCases(cases)
    var conditions = ConditionTableReader(of: definition, pebbleCount: count, cases: cases)
    try conditions.read(table)
    for pebble in try list.elements() { try read(pebble, &conditions, into: definition) }
    if let goal { definition.setGoal(try conditions.condition(goal)) }
  }

  private mutating func count(of list: JSONValue) throws(JSONError) -> Int {
    var count = 0
    for pebble in try list.elements() {
      // The network stores the numbers of pebbles in 28 bits.
      guard count < min(allowance, 0x0FFF_FFFF) else {
        throw pebble.fault(pebble.limits.problemWithPebbles)
      }
      count += 1
    }
    allowance -= count
    return count
  }

  private static func policy(_ value: JSONValue) throws(JSONError) -> FailurePolicy.Name {
    guard let policy = FailurePolicy.Name(rawValue: try value.string()) else {
      throw value.fault("there should be \"ignore\", \"cancelAll\" or \"custom\" here")
    }
    return policy
  }

  private static let pebbleKeys: [StaticString] = [
    "name", "needs", "when", "optional", "timeout", "uses", "priority", "service", "blocking",
    "teardown", "given", "cases", "output", "restartsWith", "mayEnd",
  ]

  private static func read(
    _ value: JSONValue, _ conditions: inout ConditionTableReader, into definition: PondDefinition
  ) throws(JSONError) {
    let pebble = try value.object(pebbleKeys)
    let name = try pebble.required("name").string()
    var needs: Condition?
    if let value = pebble["needs"] { needs = try conditions.condition(value) }
    var given = Condition.always
    if let value = pebble["when"] { given = try conditions.condition(value) }
    definition.append(name, needs: needs, when: given, try traits(pebble))
  }

  private static func traits(_ pebble: JSONObject) throws(JSONError) -> PebbleProperties? {
    var traits = PebbleProperties()
    traits.isGiven = try pebble["given"]?.bool() ?? false
    traits.isOptional = try pebble["optional"]?.bool() ?? false
    traits.timeout = try pebble["timeout"]?.duration()
    traits.priority = try pebble["priority"]?.integer(in: Int.min...Int.max) ?? 0
    traits.isService = try pebble["service"]?.bool() ?? false
    traits.isBlocking = try pebble["blocking"]?.bool() ?? false
    traits.hasTeardown = try pebble["teardown"]?.bool() ?? false
    if let uses = pebble["uses"] {
      for use in try uses.elements() { traits.uses.append(try self.use(use)) }
    }
    return traits == PebbleProperties() ? nil : traits
  }

  private static func use(_ value: JSONValue) throws(JSONError) -> ResourceUse {
    if value["exclusive"] != nil {
      return .exclusive(try value.object(["exclusive"]).required("exclusive").string())
    }
    let use = try value.object(["resource", "capacity", "units"])
    return .resource(
      try use.required("resource").string(),
      capacity: try use["capacity"]?.integer(in: Int.min...Int.max),
      units: try use.required("units").integer(in: Int.min...Int.max))
  }

  /// Returns the error for a fault in the definition. The error points to the pebble at fault, or
  /// to the pond if the fault does not concern a single pebble. The message also states how many
  /// other faults there are.
  private static func error(
    _ fault: PondError.Fault, others: Int, in list: JSONValue, of pond: JSONValue
  ) throws(JSONError) -> JSONError {
    var place = pond
    var seen = 0
    for (position, pebble) in try list.elements().enumerated() {
      let name = try pebble["name"]?.string()
      switch fault.detail {
      case .emptyName(let wanted):
        if position == wanted { place = pebble }
      case .duplicateName(let wanted, _):
        if name == wanted { seen += 1 }
        if name == wanted, seen == 2 { place = pebble }
      case .foreignPebble(_, _, let wanted), .invalidOption(let wanted, _):
        if name == wanted { place = pebble }
      case .invalidPond, .invalidRun, .invalidShutdown, .invalidSignals, .runsItself,
        .waitsForItself:
        break
      }
    }
    let more =
      others == 0
      ? "" : "; and there \(others == 1 ? "is 1 more fault" : "are \(others) more faults")"
    return place.fault("\(fault)\(more)")
  }
}
