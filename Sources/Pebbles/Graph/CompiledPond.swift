import Synchronization

/// A definition made ready to run: shared, unchanged, by all runs until the definition changes.
package final class CompiledPond: Sendable {
  package let graph: PondGraph
  package let network: ReadinessNetwork
  let bodies: FlatArray<Body>
  let predicates: [Predicate]

  /// What is wrong with the definition. It can be drawn all the same, but not run.
  let faults: [PondError.Fault]

  private let operandIndex = Mutex<OperandIndex?>(nil)

  init(_ graph: PondGraph, bodies: [Body]) {
    var compiler = NetworkCompiler(graph)
    network = compiler.compile()
    faults = graph.namingFaults + compiler.faults
    predicates = compiler.predicates
    self.graph = graph
    self.bodies = FlatArray(bodies)
  }

  /// The network from its gates, made when first asked for.
  ///
  /// - Complexity: O(gates + edges) at first, then O(1).
  package var operands: OperandIndex {
    operandIndex.withLock { index in
      if let index { return index }
      let made = OperandIndex(network)
      index = made
      return made
    }
  }
}
