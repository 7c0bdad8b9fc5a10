/// What a row of the network stands for.
package enum SourceKind {
  case pebble
  case gate
  case predicate(Int)
}

extension ReadinessNetwork {
  package func kind(ofRow row: Int) -> SourceKind {
    if row < pebbleCount { return .pebble }
    return row < gateCount ? .gate : .predicate(row - gateCount)
  }
}
