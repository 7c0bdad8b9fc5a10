import Fuzzing
import Pebbles
import PebblesAnalysis
import PebblesPictures

extension FuzzTarget {
  /// The target for documents of any kind: models, sketches and runs.
  static let models = FuzzTarget("models") { bytes in
    do throws(JSONError) {
      let document = try PondDocument(bytes)
      let model = document.model
      expectReadsBack(model)
      for law in document.laws { expectReadsBack(law, of: model) }
      if model.isSmall { ask(model, document.laws) }
    } catch {
      expectPlace(error, in: bytes)
    }
  }

  /// Expects that a model is the same after it has been written and read, and is written in the
  /// same way again.
  static func expectReadsBack(_ model: PondModel) {
    let written = model.jsonBytes()
    do throws(JSONError) {
      let copy = try PondModel(json: written)
      expect(copy.jsonBytes() == written, "a model is not written as it was read")
      expectAlike(copy, model)
    } catch {
      fail("a model was written that is refused: \(error)")
    }
  }

  private static func expectAlike(_ copy: PondModel, _ model: PondModel) {
    expect(copy.name == model.name, "another name")
    expect(copy.names == model.names, "other pebbles")
    expect(copy.properties == model.properties, "other traits")
    expect(copy.failurePolicy == model.failurePolicy, "another policy")
    expect(copy.goal?.description == model.goal?.description, "another goal")
    expect(copy.limits.maxConcurrent == model.limits.maxConcurrent, "another limit")
    expect(copy.limits.capacities == model.limits.capacities, "other capacities")
    let (clusters, originals) = (copy.pond.graph.clusters, model.pond.graph.clusters)
    expect(clusters.map(\.name) == originals.map(\.name), "other clusters")
    expect(clusters.map(\.pebbles) == originals.map(\.pebbles), "clusters of others")
    for position in model.names.indices {
      expect(copy.cases(at: position) == model.cases(at: position), "other cases")
      expect(copy.inputs(at: position) == model.inputs(at: position), "other inputs")
      let condition = copy.condition(at: position).description
      expect(condition == model.condition(at: position).description, "another condition")
    }
  }

  /// Asks the questions that a user would ask next.
  private static func ask(_ model: PondModel, _ laws: [Law]) {
    for position in model.names.indices {
      let condition = model.condition(at: position).description
      if !condition.contains("…") { expectReadsBack(condition, of: model) }
    }
    _ = model.lint(also: Set(Finding.Kind.onRequest)).description
    let scenarios = model.scenarios(limit: 5_000)
    for position in model.names.indices { _ = scenarios.runs(.named(model.names[position])) }
    _ = try? scenarios.check(laws).description
    _ = try? scenarios.ending(failing: model.names.prefix(1).map { .named($0) }).description
    _ = model.dot()
    _ = model.mermaid()
  }
}

extension PondModel {
  /// Whether the model is small enough for questions that take longer than reading it.
  var isSmall: Bool { count <= 24 && pond.network.edges.count <= 300 }
}
