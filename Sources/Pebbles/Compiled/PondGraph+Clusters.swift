extension PondGraph {
  /// The number of the innermost cluster that contains each pebble; `nil` if there is none.
  var innermostClusters: [Int?] {
    var innermost = [Int?](repeating: nil, count: names.count)
    // Outer clusters come before the clusters inside them.
    for (number, cluster) in clusters.enumerated() {
      for pebble in cluster.pebbles { innermost[pebble] = number }
    }
    return innermost
  }

  /// Returns the name of a pebble without the prefix of its cluster.
  func shortName(of pebble: Int, in cluster: Int?) -> String {
    let name = names[pebble]
    guard let cluster, !name.isEmpty else { return name }
    let prefix = PondCluster.name("", inside: clusters[cluster].name)
    // Drops scalars instead of characters, because the slash and an accent after it form one
    // character.
    return String(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
  }
}
