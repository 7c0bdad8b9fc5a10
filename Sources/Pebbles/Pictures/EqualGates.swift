/// A grouping of a network's gates by the expressions that they compute. A picture shows each
/// expression only once.
struct EqualGates {
  /// The representative of each gate: the equal gate with the lowest number, possibly the gate
  /// itself.
  private(set) var representatives: [Int]

  private struct Expression: Hashable {
    let kind: GateKind
    let label: String?

    /// The sorted keys of the operands. Each key combines the source of the operand with the
    /// outcomes that the gate accepts.
    let operands: [UInt64]
  }

  /// Finds the equal gates.
  ///
  /// - Parameters:
  ///   - pond: The pond that is drawn.
  ///   - isDrawn: A function that returns whether a gate is drawn as a separate node. A gate that
  ///     is not drawn counts as unequal to all others.
  /// - Complexity: O(*n* log *n*), where *n* is the number of atoms.
  init(_ pond: PondLogic, isDrawn: (Int) -> Bool) {
    let network = pond.network
    let operands = pond.operands
    representatives = Array(0..<network.rowCount)
    var visited = Array(repeating: false, count: network.rowCount)
    // A gate with a constant counts as unequal to all others, because each constant has its own
    // node.
    for constant in network.constants { visited[constant.gate] = true }
    var first: [Expression: Int] = [:]
    for root in 0..<network.rowCount where !visited[root] {
      var pending = [root]
      while let gate = pending.last {
        let inner = operands[gate].lazy.map { Int($0.source) }.filter {
          $0 >= network.pebbleCount && !visited[$0]
        }
        if !visited[gate], !inner.isEmpty {
          pending += inner
          continue
        }
        pending.removeLast()
        guard !visited[gate] else { continue }
        visited[gate] = true
        guard isDrawn(gate) else { continue }
        let expression = Expression(
          kind: network.kinds[gate], label: network.labels[gate],
          operands: operands[gate].map { key(of: $0, in: network) }.sorted())
        if let known = first[expression] {
          representatives[gate] = known
        } else {
          first[expression] = gate
        }
      }
    }
    nameByLowest()
  }

  private func key(of operand: OperandIndex.Operand, in network: ReadinessNetwork) -> UInt64 {
    let source = Int(operand.source)
    // Rows of pebbles have the same numbers as root gates, and a root gate may represent an inner
    // gate. So the numbers of gates begin after those of pebbles.
    let isGate = source >= network.pebbleCount
    let number = isGate ? network.pebbleCount + representatives[source] : source
    return UInt64(number) << 3 | UInt64(operand.outcomes.rawValue)
  }

  /// Replaces each representative with the equal gate that has the lowest number. The search may
  /// have visited that gate after the representative.
  private mutating func nameByLowest() {
    var lowest = Array(representatives.indices)
    for gate in representatives.indices.reversed() { lowest[representatives[gate]] = gate }
    for gate in representatives.indices { representatives[gate] = lowest[representatives[gate]] }
  }
}
