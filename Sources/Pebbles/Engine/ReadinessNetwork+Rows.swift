/// What a row of the network stands for.
package enum SourceKind {
  case pebble
  /// A case of a pebble, see `CaseRows`.
  case pebbleCase
  case gate
}

extension ReadinessNetwork {
  package func kind(ofRow row: Int) -> SourceKind {
    row < pebbleCount ? .pebble : row < cases.rows.upperBound ? .pebbleCase : .gate
  }

  /// The pebble that an atom reads, given its row: by outcome or by case; `nil` for an inner gate.
  package func pebble(readAt row: Int) -> Int? {
    switch kind(ofRow: row) {
    case .pebble: row
    case .pebbleCase: cases[row].pebble
    case .gate: nil
    }
  }
}
