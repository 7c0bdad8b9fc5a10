import Synchronization

/// What can be known of a definition: its graph, its network, what is wrong with it. Shared,
/// unchanged, by all runs until the definition changes, and kept by their reports.
package final class CompiledPond: Sendable {
  package let graph: PondGraph
  package let network: ReadinessNetwork

  /// The predicates, in the order of their numbers in the network.
  let predicates: [Predicate]

  /// What is wrong with the definition. It can be drawn all the same, but not run.
  let faults: [PondError.Fault]

  private let operandIndex = Mutex<OperandIndex?>(nil)

  init(_ graph: PondGraph) {
    var compiler = NetworkCompiler(graph)
    network = compiler.compile()
    faults = graph.inDefinitionOrder(compiler.faults)
    predicates = compiler.predicates
    self.graph = graph
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

/// A definition made ready to run: what is known of it, and the bodies. Reports keep only the
/// former, so that what a body has captured is let go of when its runs are over and its pond is
/// gone.
final class Program: Sendable {
  let pond: CompiledPond

  /// The bodies of the pebbles, and perhaps of some that were added later.
  let bodies: StableList<Body>

  init(_ pond: CompiledPond, bodies: StableList<Body>) {
    self.pond = pond
    self.bodies = bodies
  }
}
