import Pebbles

/// A writer for ponds in the format described in the article "The JSON Format".
package struct PondModelWriter: JSONWritable {
  private let model: PondModel
  private var table = ConditionTableWriter()
  private var conditions: [(implied: Condition?, given: Condition)] = []

  package init(_ model: PondModel) {
    self.model = model
    for pebble in 0..<model.count {
      let implied = model.pond.graph.impliedCondition(of: pebble)
      let given = model.pond.graph.givenCondition(of: pebble)
      if let implied { table.add(implied) }
      table.add(given)
      conditions.append((implied, given))
    }
    if let goal = model.pond.graph.goal { table.add(goal) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object(inLines: true) { writer in
      writer.member("format", PondModelReader.format)
      writer.member("version", PondModelReader.version)
      writer.member("name", model.name)
      writer.member("maxConcurrent", model.limits.maxConcurrent)
      writer.member("onFailure", model.pond.properties.failurePolicy.rawValue)
      writer.member("conditions", table)
      writer.member("goal", model.pond.graph.goal.map(table.operand))
      writer.member("pebbles", 0..<model.count, inLines: true, write)
      writer.member("clusters", model.pond.graph.clusters, inLines: true, write)
    }
  }

  private func write(_ pebble: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", model.pond.graph.names[pebble])
      let (implied, given) = conditions[pebble]
      writer.member("needs", implied.map(table.operand))
      if case .constant(true) = given.expression {
      } else {
        writer.member("when", table.operand(given))
      }
      if let list = model.pond.graph.cases[pebble] {
        writer.member("cases", list.cases) { one, writer in
          writer.object { writer in
            writer.member("kind", one.kindWord)
            writer.member("name", one == .timedOut ? nil : one.name)
            writer.member("exhaustive", one.isValue && list.isExhaustive ? true : nil)
          }
        }
      }
      writer.member("output", model.hasKnownOutput(at: pebble) ? true : nil)
      if let traits = model.properties[UInt32(pebble)] { write(traits, to: &writer) }
    }
  }

  /// Writes the traits whose values differ from the defaults.
  private func write(_ traits: PebbleProperties, to writer: inout JSONWriter) {
    writer.member("given", traits.isGiven ? true : nil)
    writer.member("optional", traits.isOptional ? true : nil)
    writer.member("timeout", traits.timeout)
    if !traits.uses.isEmpty { writer.member("uses", traits.uses, write) }
    writer.member("priority", traits.priority == 0 ? nil : traits.priority)
    writer.member("service", traits.isService ? true : nil)
    writer.member("blocking", traits.isBlocking ? true : nil)
    writer.member("teardown", traits.hasTeardown ? true : nil)
  }

  private func write(_ use: ResourceUse, to writer: inout JSONWriter) {
    writer.object { writer in
      switch use.key.kind {
      case .exclusive:
        writer.member("exclusive", use.key.name)
      case .resource:
        writer.member("resource", use.key.name)
        writer.member("capacity", use.capacity)
        writer.member("units", use.units)
      }
    }
  }

  private func write(_ cluster: PondCluster, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", cluster.shortName)
      writer.member("parent", cluster.parent)
      writer.member("first", cluster.pebbles.lowerBound)
      writer.member("count", cluster.pebbles.count)
      writer.member("maxConcurrent", cluster.maxConcurrent)
    }
  }
}
