/// An index of the operands of each row, except constants. The index is the network with its edges
/// reversed. It is needed only for stalls, explanations and pictures.
package struct OperandIndex: Sendable {
  package struct Operand: Sendable, Hashable {
    package let source: UInt32
    package let outcomes: OutcomeSet
  }

  private let offsets: [UInt32]
  private let operands: [Operand]

  /// Creates the index of a network.
  ///
  /// - Complexity: O(rows + edges).
  package init(_ network: ReadinessNetwork) {
    var offsets = [UInt32](repeating: 0, count: network.rowCount + 1)
    for row in 0..<network.rowCount {
      for edge in network.edges(from: row) { offsets[edge.gate + 1] += 1 }
    }
    for row in 0..<network.rowCount { offsets[row + 1] += offsets[row] }

    var operands = [Operand](
      repeating: Operand(source: 0, outcomes: []), count: Int(offsets[network.rowCount]))
    var next = offsets
    for row in 0..<network.rowCount {
      for edge in network.edges(from: row) {
        operands[Int(next[edge.gate])] = Operand(source: UInt32(row), outcomes: edge.outcomes)
        next[edge.gate] += 1
      }
    }
    self.offsets = offsets
    self.operands = operands
  }

  /// Returns the operands of a gate, ordered by source.
  package subscript(row: Int) -> ArraySlice<Operand> { operands[places(of: row)] }

  /// Returns the source of the operand at a position in a row's list of operands, or `nil` past the
  /// end of the list.
  package func source(of row: Int, at place: Int) -> Int? {
    let places = places(of: row)
    return place < places.count ? Int(operands[places.lowerBound + place].source) : nil
  }

  private func places(of row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }
}
