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
}
