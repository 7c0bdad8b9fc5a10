/// The graph of the waiting pebbles and the undecided atoms that can still influence them.
///
/// The nodes are rows of the network: pebbles whose condition is undecided, and the undecided gates
/// and cases below them. Atoms below a decided gate are not included, because no pebble waits for
/// them anymore. Because gates are nodes, a gate shared by many pebbles is searched only once.
struct PebbleWaitGraph {
  let state: ReadinessState
  let operands: OperandIndex

  init(_ state: ReadinessState, _ operands: OperandIndex) {
    self.state = state
    self.operands = operands
  }

  /// Returns whether a row is a node: a waiting pebble with an undecided condition, or an undecided
  /// case or gate.
  func isOpen(_ row: Int) -> Bool {
    switch state.network.kind(ofRow: row) {
    case .pebble: state.status(of: row) == .waiting && state.value(ofGate: row) == nil
    case .pebbleCase, .gate: state.value(ofGate: row) == nil
    }
  }

  /// Returns the rows that an open row waits for: open rows, and pebbles that are ready or running.
  func targets(of row: Int) -> some Sequence<Int> { targets(among: operands[row]) }

  private func targets(among operands: ArraySlice<OperandIndex.Operand>) -> some Sequence<Int> {
    operands.lazy.map { Int($0.source) }.filter { isUndecided($0) }
  }

  /// Returns the source of a row's operand at a position, or `nil` past the last operand. If the
  /// source is not open, returns the row itself, because an edge from a row to itself does not
  /// change the strongly connected components.
  func openTarget(of row: Int, at place: Int) -> Int? {
    operands.source(of: row, at: place).map { isOpen($0) ? $0 : row }
  }

  private func isUndecided(_ row: Int) -> Bool {
    row < state.network.pebbleCount ? !state.status(of: row).isSettled : isOpen(row)
  }

  /// Returns the unsettled pebbles that `pebble` directly waits for, nearest first and without
  /// duplicates. Returns at most `limit` pebbles, and examines at most `mostLooks` operands.
  func pebbles(
    awaitedBy pebble: Int, atMost limit: Int, lookingAtMost mostLooks: Int = .max
  ) -> [Int] {
    var looks = 0
    return pebbles(awaitedBy: pebble, atMost: limit) { row in
      let operands = self.operands[row].prefix(mostLooks - looks)
      looks += operands.count
      return targets(among: operands)
    }
  }

  /// Returns the first pebbles that a search from `pebble` along `targets` reaches, nearest first
  /// and without duplicates. The search does not continue beyond a pebble that it has reached, and
  /// ends after `limit` pebbles.
  func pebbles<Targets: Sequence<Int>>(
    awaitedBy pebble: Int, atMost limit: Int, along targets: (Int) -> Targets
  ) -> [Int] {
    var found: [Int] = []
    var known: Set<Int> = []
    var pending = [pebble]
    var position = 0
    while position < pending.count, found.count < limit {
      for target in targets(pending[position]) where known.insert(target).inserted {
        if target < state.network.pebbleCount {
          found.append(target)
          if found.count == limit { break }
        } else {
          pending.append(target)
        }
      }
      position += 1
    }
    return found
  }
}
