/// All conditions of a pond as one boolean circuit, compiled into flat arrays.
///
/// Conditions are in negation normal form: ANDs and ORs over atoms. An atom consists of a pebble
/// and the set of outcomes that make the atom true. Every AND and every OR is a *gate*. Each pebble
/// owns one gate, its root, and starts when the root becomes true. Events travel from *sources*
/// along edges:
///
/// | rows of `offsets` | source |
/// |---|---|
/// | `0 ..< pebbleCount` | the outcome of a pebble |
/// | `pebbleCount ..< rowCount` | the value of an inner gate; the first inner gates are cases |
///
/// Gates `0 ..< pebbleCount` are the roots. An inner gate has the same number as its row.
package struct ReadinessNetwork: Sendable {
  package let pebbleCount: Int

  /// The number of rows. Each pebble, each case and each inner gate has a row.
  package let rowCount: Int

  /// The position of each source's first edge: the edges of `row` are
  /// `edges[offsets[row] ..< offsets[row + 1]]`.
  package let offsets: FlatArray<UInt32>
  package let edges: FlatArray<Edge>

  /// The number of operands of each gate.
  package let operandCounts: [UInt32]

  /// The kind of each gate.
  package let kinds: [GateKind]

  /// The goal's gate; `nil` if the pond has no goal. Unlike a pebble's gate, it does not start
  /// anything.
  package let goal: Int?

  /// The rows that represent the cases of pebbles.
  package let cases: CaseRows

  /// The pebbles without a condition, in definition order.
  package let initiallyReady: FlatArray<UInt32>

  /// The constant operands. When a run begins, each of them arrives at its gate once, with the
  /// event `.succeeded`.
  package let constants: [Edge]

  /// The labels that `Condition.labeled(_:)` assigned to gates.
  package let labels: [Int: String]

  /// Returns the edges that start at a source.
  package func edges(from row: Int) -> some RandomAccessCollection<Edge> {
    (offsets[row]..<offsets[row + 1]).lazy.map { edges[Int($0)] }
  }
}

/// The kind of source that a row of a network represents.
package enum SourceKind {
  case pebble
  /// A case of a pebble; see `CaseRows`.
  case pebbleCase
  case gate
}

extension ReadinessNetwork {
  package func kind(ofRow row: Int) -> SourceKind {
    row < pebbleCount ? .pebble : row < cases.rows.upperBound ? .pebbleCase : .gate
  }

  /// Returns the pebble whose outcome or case a row represents; `nil` for an inner gate.
  package func pebble(readAt row: Int) -> Int? {
    switch kind(ofRow: row) {
    case .pebble: row
    case .pebbleCase: cases[row].pebble
    case .gate: nil
    }
  }
}
