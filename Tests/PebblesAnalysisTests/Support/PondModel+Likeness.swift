import Pebbles
import PebblesAnalysis
import Testing

/// Expects two models to agree in all of their properties, including the network.
///
/// - Parameters:
///   - copy: The model to check.
///   - model: The model that `copy` is expected to agree with.
///   - withGateNumbers: Whether gates are expected to have the same numbers as well. The numbers
///     depend on whether a condition was given in the definition or set later.
///   - sourceLocation: The source location of the expectation.
func expectAlike(
  _ copy: PondModel, _ model: PondModel, withGateNumbers: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func expect<Value: Equatable>(_ part: (PondModel) -> Value, _ name: String) {
    #expect(
      part(copy) == part(model), "\(name) of \(model.json())", sourceLocation: sourceLocation)
  }
  expect(\.name, "name")
  expect(\.names, "names")
  expect({ model in model.names.indices.map { model.condition(at: $0).description } }, "conditions")
  expect(\.properties, "traits")
  expect({ $0.pond.properties.failurePolicy }, "failure policy")
  expect(\.limits.capacities, "capacities")
  expect(\.limits.maxConcurrent, "limit")
  expect(
    { model in model.names.indices.map { Array(model.limits.uses(of: UInt32($0))) } }, "uses")
  expect({ $0.pond.graph.clusters.map(\.name) }, "clusters")
  expect({ $0.pond.graph.clusters.map(\.shortName) }, "short names of clusters")
  expect({ $0.pond.graph.clusters.map(\.pebbles) }, "pebbles of clusters")
  expect({ $0.pond.graph.clusters.map(\.parent) }, "nesting of clusters")
  expect({ $0.pond.graph.clusters.map(\.maxConcurrent) }, "limits of clusters")
  expect({ $0.pond.network.initiallyReady.all }, "roots")
  expect({ $0.pond.network.operandCounts.sorted() }, "operand counts")
  expect({ $0.pond.network.edges.count }, "edge count")
  expect({ $0.pond.network.labels.values.sorted() }, "labels")
  expect({ $0.json() }, "document")
  guard withGateNumbers else { return }
  expect(\.pond.network.kinds, "gates")
  expect(\.pond.network.operandCounts, "operand counts")
  expect({ $0.pond.network.offsets.all }, "offsets")
  expect({ $0.pond.network.edges.all }, "edges")
  expect(\.pond.network.constants, "constants")
  expect(\.pond.network.labels, "labels")
}

extension FlatArray {
  fileprivate var all: [Element] { (0..<count).map { self[$0] } }
}
