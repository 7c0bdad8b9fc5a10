import Synchronization

/// What can be known of a definition: its graph, its network, what is wrong with it. Shared,
/// unchanged, by all runs until the definition changes, and kept by their reports.
package final class PondLogic: Sendable {
  package let graph: PondGraph
  package let network: ReadinessNetwork
  package let properties: PondProperties

  /// What is wrong with the definition. It can be drawn all the same, but not run.
  package let faults: [PondError.Fault]

  private let operandIndex = Mutex<OperandIndex?>(nil)

  // `optionFaults` is what is wrong besides names and conditions.
  init(_ graph: PondGraph, _ properties: PondProperties, optionFaults: [PondError.Fault] = []) {
    var compiler = NetworkCompiler(graph)
    network = compiler.compile()
    faults = graph.mergedFaults(with: compiler.mentionFaults.faults + optionFaults)
    self.graph = graph
    self.properties = properties
  }

  /// In which order ready pebbles start, and under which limits; `nil` if each may start at once.
  ///
  /// - Parameters:
  ///   - durations: How long each pebble took in an earlier run, in nanoseconds.
  ///   - threaded: The pebbles that need a thread.
  ///   - isNeeded: Whether there is to be one even if each may start at once.
  /// - Returns: An empty queue for one run.
  package func admission(
    learningFrom durations: [UInt64]? = nil, threaded: Set<UInt32> = [], isNeeded: Bool = false
  ) -> AdmissionQueue? {
    let priorities = properties.pebbles.compactMapValues { $0.priority == 0 ? nil : $0.priority }
    if properties.limits.isUnlimited, priorities.isEmpty, durations == nil, threaded.isEmpty,
      !isNeeded
    {
      return nil
    }
    let ranks = PebbleRanks(network, priorities: priorities, durations: durations)
    return AdmissionQueue(ranks: ranks.ranks, properties.limits, threaded: threaded)
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
