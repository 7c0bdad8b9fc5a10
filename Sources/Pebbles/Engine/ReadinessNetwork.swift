/// All conditions of a pond as one boolean circuit, compiled into flat arrays.
///
/// Conditions are brought into negation normal form: ANDs and ORs over atoms, where an atom is a
/// pebble and the set of outcomes that make it true. Every AND and every OR is a *gate*; every
/// pebble owns one gate, its root, and starts when that becomes true. Events travel from *sources*
/// along edges:
///
/// | rows of `offsets` | source |
/// |---|---|
/// | `0 ..< pebbleCount` | the outcome of a pebble |
/// | `pebbleCount ..< gateCount` | an inner gate, when it is decided |
/// | `gateCount ..< gateCount + predicateCount` | a predicate, when it holds |
///
/// Gates `0 ..< pebbleCount` are the roots; an inner gate has the same number as its row.
package struct ReadinessNetwork: Sendable {
  package let pebbleCount: Int
  package let gateCount: Int

  /// The edges of source `row` are `edges[offsets[row] ..< offsets[row + 1]]`.
  package let offsets: FlatArray<UInt32>
  package let edges: FlatArray<Edge>

  /// How many operands each gate has.
  package let operandCounts: [UInt32]

  /// What each gate computes.
  package let kinds: [GateKind]

  /// Pebbles without a condition, in definition order.
  package let initiallyReady: FlatArray<UInt32>

  /// Operands that are constants; they arrive once, as `.succeeded`, when a run begins.
  package let constants: [Edge]

  /// For each predicate, the pebbles it reads.
  package let predicateReads: [[UInt32]]

  /// For each pebble that predicates read, those predicates.
  package let predicateReaders: [UInt32: [UInt32]]

  /// Names given by `Condition.labeled(_:)`, by gate.
  package let labels: [Int: String]

  package var predicateCount: Int { predicateReads.count }
  package var rowCount: Int { gateCount + predicateCount }

  /// What hangs on a source.
  package func edges(from row: Int) -> some RandomAccessCollection<Edge> {
    (offsets[row]..<offsets[row + 1]).lazy.map { edges[Int($0)] }
  }

  /// The row on which a predicate reports.
  package func row(ofPredicate predicate: Int) -> Int { gateCount + predicate }
}

/// The network turned around: what each row waits for. The engine runs without it; stalls,
/// explanations and pictures ask it.
package struct OperandIndex: Sendable {
  package struct Operand: Sendable {
    package let source: UInt32
    package let outcomes: OutcomeSet
  }

  private let offsets: [UInt32]
  private let operands: [Operand]

  /// Turns the network around.
  ///
  /// - Complexity: O(rows + edges + reads of predicates).
  package init(_ network: ReadinessNetwork) {
    var offsets = [UInt32](repeating: 0, count: network.rowCount + 1)
    for row in 0..<network.rowCount {
      for edge in network.edges(from: row) { offsets[edge.gate + 1] += 1 }
    }
    for (predicate, reads) in network.predicateReads.enumerated() {
      offsets[network.row(ofPredicate: predicate) + 1] = UInt32(reads.count)
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
    for (predicate, reads) in network.predicateReads.enumerated() {
      let place = Int(offsets[network.row(ofPredicate: predicate)])
      for (number, pebble) in reads.enumerated() {
        operands[place + number] = Operand(source: pebble, outcomes: .settled)
      }
    }
    self.offsets = offsets
    self.operands = operands
  }

  /// The operands of a gate, ordered by source, or the pebbles that a predicate reads.
  package subscript(row: Int) -> ArraySlice<Operand> { operands[places(of: row)] }

  /// The row that a row waits for, by its place among the operands; `nil` beyond the last.
  package func source(of row: Int, at place: Int) -> Int? {
    let places = places(of: row)
    return place < places.count ? Int(operands[places.lowerBound + place].source) : nil
  }

  private func places(of row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }
}
