extension PondGraph {
  /// For each pebble the number of the innermost cluster it is in.
  var innermostClusters: [Int?] {
    var innermost = [Int?](repeating: nil, count: names.count)
    // Outer clusters come before those inside of them.
    for (number, cluster) in clusters.enumerated() {
      for pebble in cluster.pebbles { innermost[pebble] = number }
    }
    return innermost
  }

  /// The name of a pebble without that of the cluster it is in.
  func shortName(of pebble: Int, in cluster: Int?) -> String {
    let name = names[pebble]
    guard let cluster, !name.isEmpty else { return name }
    let prefix = PondCluster.name("", inside: clusters[cluster].name)
    // Not characters: the slash makes one together with an accent behind it.
    return String(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
  }
}
