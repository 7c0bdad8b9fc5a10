/// The way from the condition of a pebble down to the pebble whose settling decided it.
///
/// A run notes for each pebble which arrival decided its condition. That is the only word on it:
/// of two that settle at nearly the same time, one may be first by the clock, or by the order of
/// settling, and the other first to arrive. All who say why something was decided follow this way,
/// so that they name the same pebble.
struct DecidingPath {
  /// For each gate on the way, the operand through which it goes on.
  private(set) var operands: [Int: OperandIndex.Operand] = [:]

  /// `nil` if no way leads there.
  ///
  /// - Parameters:
  ///   - root: The gate to begin with, that of a pebble.
  ///   - cause: The pebble to lead to.
  ///   - network: The network that both are in.
  ///   - candidates: The operands of a gate that may have decided it.
  /// - Complexity: O(atoms of the condition).
  init?(
    from root: Int, to cause: Int, in network: ReadinessNetwork,
    through candidates: (Int) -> [OperandIndex.Operand]
  ) {
    var parents: [Int: (gate: Int, operand: OperandIndex.Operand)] = [:]
    var pending = [root]
    // Nearest first, so that an atom of the condition itself goes before one deep inside.
    var next = 0
    while next < pending.count {
      let gate = pending[next]
      next += 1
      let found = candidates(gate)
      if let last = found.first(where: { network.pebble(readAt: Int($0.source)) == cause }) {
        follow(parents, upFrom: gate, last)
        return
      }
      for operand in found {
        let source = Int(operand.source)
        switch network.kind(ofRow: source) {
        case .pebble, .pebbleCase: continue
        case .gate:
          guard parents[source] == nil else { continue }
          parents[source] = (gate, operand)
          pending.append(source)
        }
      }
    }
    return nil
  }

  private mutating func follow(
    _ parents: [Int: (gate: Int, operand: OperandIndex.Operand)], upFrom gate: Int,
    _ last: OperandIndex.Operand
  ) {
    operands[gate] = last
    var step = gate
    while let parent = parents[step] {
      operands[parent.gate] = parent.operand
      step = parent.gate
    }
  }
}
