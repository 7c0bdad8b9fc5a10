import Synchronization

/// The logic of a definition: its graph, its network and its faults. All runs share it unchanged
/// until the definition changes, and their reports keep it.
package final class PondLogic: Sendable {
  package let graph: PondGraph
  package let network: ReadinessNetwork
  package let properties: PondProperties

  /// The faults of the definition. A pond with faults can be drawn, but not run.
  package let faults: [PondError.Fault]

  private let operandIndex = Mutex<OperandIndex?>(nil)

  // `optionFaults` are the faults that concern neither names nor conditions.
  init(_ graph: PondGraph, _ properties: PondProperties, optionFaults: [PondError.Fault] = []) {
    var compiler = NetworkCompiler(graph)
    network = compiler.compile()
    faults = graph.mergedFaults(with: compiler.mentionFaults.faults + optionFaults)
    self.graph = graph
    self.properties = properties
  }

  /// Returns a queue that admits ready pebbles in order and under the limits of the pond.
  ///
  /// - Parameters:
  ///   - durations: How long each pebble took in an earlier run, in nanoseconds; `nil` if there is
  ///     no such run.
  ///   - threaded: The pebbles that need a thread.
  ///   - isNeeded: Whether to return a queue even if every pebble may start immediately.
  /// - Returns: An empty queue for one run; `nil` if every pebble may start immediately and
  ///   `isNeeded` is `false`.
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

  /// The operands of each row of the network, computed on first use.
  ///
  /// - Complexity: O(gates + edges) on first use, then O(1).
  package var operands: OperandIndex {
    operandIndex.withLock { index in
      if let index { return index }
      let made = OperandIndex(network)
      index = made
      return made
    }
  }
}
