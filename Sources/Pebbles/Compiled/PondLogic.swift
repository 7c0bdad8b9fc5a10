import Synchronization

/// The logic of a definition: its graph, its network and its faults. All runs share one logic until
/// the definition changes, and their reports keep it alive.
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

  /// Checks that the pond is defined correctly.
  ///
  /// - Throws: ``PondError`` with all faults of the definition.
  package func check() throws(PondError) {
    guard faults.isEmpty else { throw PondError(pondName: graph.pondName, faults: faults) }
  }

  /// Returns a queue that admits ready pebbles in the order of their ranks, within the limits of
  /// the pond.
  ///
  /// - Parameters:
  ///   - durations: The duration of each pebble in an earlier run, in nanoseconds; `nil` if there
  ///     is no such run.
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

extension PondLogic {
  /// The pebbles whose outputs are given to each run, in definition order. These pebbles have no
  /// bodies.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of pebbles that have any trait.
  package var givenPebbles: [Int] {
    properties.pebbles.filter(\.value.isGiven).keys.map(Int.init).sorted()
  }

  /// Whether the pond has pebbles whose outputs are given to each run.
  package var hasGivenPebbles: Bool { properties.pebbles.values.contains(where: \.isGiven) }

  /// Returns the outcomes known when a run begins: disabled and unrequested pebbles are skipped,
  /// and given pebbles have succeeded.
  ///
  /// - Parameters:
  ///   - disabled: The disabled pebbles. Those that are not requested are ignored.
  ///   - subset: The requested pebbles; `nil` for all.
  ///   - cases: A function that returns the cases that hold for a pebble whose output is given.
  /// - Returns: The known outcomes.
  package func knownOutcomes(
    disabled: some Sequence<Int>, in subset: Set<Int>?, cases: (Int) -> CaseSet
  ) -> KnownOutcomes {
    let disabled = Set(disabled)
    var known = KnownOutcomes(disabled: disabled, in: subset, of: network.pebbleCount)
    for pebble in givenPebbles
    where subset?.contains(pebble) != false && !disabled.contains(pebble) {
      known.succeeded.append(KnownOutcomes.Success(pebble, cases(pebble)))
    }
    return known
  }
}
