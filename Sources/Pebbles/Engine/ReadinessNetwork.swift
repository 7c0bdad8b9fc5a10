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
/// | `pebbleCount ..< gateCount` | an inner gate, when it is decided; the first are the cases |
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

  /// The gate that says what a run is for; `nil` if nothing was said. It starts nothing.
  package let goal: Int?

  /// Which rows are cases.
  package let cases: CaseRows

  /// Pebbles without a condition, in definition order.
  package let initiallyReady: FlatArray<UInt32>

  /// Operands that are constants; they arrive once, as `.succeeded`, when a run begins.
  package let constants: [Edge]

  /// Names given by `Condition.labeled(_:)`, by gate.
  package let labels: [Int: String]

  package var rowCount: Int { gateCount }

  /// What hangs on a source.
  package func edges(from row: Int) -> some RandomAccessCollection<Edge> {
    (offsets[row]..<offsets[row + 1]).lazy.map { edges[Int($0)] }
  }
}
