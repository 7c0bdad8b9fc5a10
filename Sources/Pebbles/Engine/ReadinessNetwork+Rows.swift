/// What a row of the network stands for.
package enum SourceKind {
  case pebble
  case gate
}

extension ReadinessNetwork {
  package func kind(ofRow row: Int) -> SourceKind {
    row < pebbleCount ? .pebble : .gate
  }
}
