extension PondGraph {
  /// Returns the position of a pebble that a trait of another pebble mentions; `nil` if there is no
  /// such pebble.
  ///
  /// A pebble is mentioned by handle or by name. A name is looked up in the innermost cluster
  /// around the mentioning pebble first, then in the clusters further out, then in the whole pond.
  func position(
    of other: PebbleID, mentionedBy pebble: Int, _ placement: Placement?
  ) -> Int? {
    switch other.kind {
    case .handle(let reference):
      return placement?.knownPosition(of: reference) ?? position(of: reference)
    case .name(let name):
      let around = clusters.filter { $0.pebbles.contains(pebble) }
        .sorted { $0.pebbles.count < $1.pebbles.count }
      for cluster in around {
        let inside = PondCluster.name(name, inside: cluster.name)
        if let position = cluster.pebbles.first(where: { names[$0] == inside }) {
          return position
        }
      }
      return names.firstIndex(of: name)
    }
  }
}
