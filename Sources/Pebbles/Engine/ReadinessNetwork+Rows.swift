/// The kind of a row of a network.
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

  /// Returns the pebble whose outcome or case an atom at a row reads; `nil` for an inner gate.
  package func pebble(readAt row: Int) -> Int? {
    switch kind(ofRow: row) {
    case .pebble: row
    case .pebbleCase: cases[row].pebble
    case .gate: nil
    }
  }
}
