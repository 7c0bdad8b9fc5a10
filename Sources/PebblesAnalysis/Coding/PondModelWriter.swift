import Pebbles

/// Writes a pond in the format described in the article "The JSON Format".
struct PondModelWriter {
  private let model: PondModel
  private var table = ConditionTableWriter()
  private var conditions: [(implied: Condition?, given: Condition)] = []

  init(_ model: PondModel) {
    self.model = model
    for pebble in 0..<model.count {
      let implied = model.pond.graph.impliedCondition(of: pebble)
      let given = model.pond.graph.givenCondition(of: pebble)
      if let implied { table.add(implied) }
      table.add(given)
      conditions.append((implied, given))
    }
  }

  /// Where the predicates with these numbers stand among the conditions, ascending.
  func places(ofPredicates numbers: [Int]) -> [Int] {
    guard !numbers.isEmpty else { return [] }
    let places = table.predicatePlaces
    return numbers.compactMap { places[ObjectIdentifier(model.pond.predicates[$0])] }.sorted()
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject(inLines: true)
    writer.key("format")
    writer.value(PondModelReader.format)
    writer.key("version")
    writer.value(PondModelReader.version)
    writer.key("name")
    writer.value(model.name)
    if let most = model.limits.maxConcurrent {
      writer.key("maxConcurrent")
      writer.value(most)
    }
    writer.key("onFailure")
    writer.value(model.pond.properties.failurePolicy.rawValue)
    writer.key("conditions")
    table.write(to: &writer)
    writer.key("pebbles")
    writer.beginList(inLines: true)
    for pebble in 0..<model.count { write(pebble, to: &writer) }
    writer.end()
    writer.key("clusters")
    writer.beginList(inLines: true)
    for cluster in model.pond.graph.clusters { write(cluster, to: &writer) }
    writer.end()
    writer.end()
  }

  private func write(_ pebble: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.value(model.pond.graph.names[pebble])
    let (implied, given) = conditions[pebble]
    if let implied {
      writer.key("needs")
      table.write(implied, to: &writer)
    }
    if case .constant(true) = given.expression {
    } else {
      writer.key("when")
      table.write(given, to: &writer)
    }
    if let traits = model.properties[UInt32(pebble)] { write(traits, to: &writer) }
    writer.end()
  }

  private func write(_ traits: PebbleProperties, to writer: inout JSONWriter) {
    if traits.isOptional {
      writer.key("optional")
      writer.value(true)
    }
    if let timeout = traits.timeout {
      writer.key("timeout")
      writer.value(timeout)
    }
    if !traits.uses.isEmpty {
      writer.key("uses")
      writer.beginList()
      for use in traits.uses { write(use, to: &writer) }
      writer.end()
    }
    if traits.priority != 0 {
      writer.key("priority")
      writer.value(traits.priority)
    }
    if traits.isService {
      writer.key("service")
      writer.value(true)
    }
    if traits.isBlocking {
      writer.key("blocking")
      writer.value(true)
    }
  }

  private func write(_ use: ResourceUse, to writer: inout JSONWriter) {
    writer.beginObject()
    switch use.key.kind {
    case .exclusive:
      writer.key("exclusive")
      writer.value(use.key.name)
    case .resource:
      writer.key("resource")
      writer.value(use.key.name)
      if let capacity = use.capacity {
        writer.key("capacity")
        writer.value(capacity)
      }
      writer.key("units")
      writer.value(use.units)
    }
    writer.end()
  }

  private func write(_ cluster: PondCluster, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.value(cluster.shortName)
    if let parent = cluster.parent {
      writer.key("parent")
      writer.value(parent)
    }
    writer.key("first")
    writer.value(cluster.pebbles.lowerBound)
    writer.key("count")
    writer.value(cluster.pebbles.count)
    if let most = cluster.maxConcurrent {
      writer.key("maxConcurrent")
      writer.value(most)
    }
    writer.end()
  }
}
