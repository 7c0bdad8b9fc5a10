extension PondGraph {
  /// The faults of the clusters themselves, in definition order.
  var clusterFaults: [PondError.Fault] {
    var counts: [String: Int] = [:]
    for cluster in clusters { counts[cluster.name, default: 0] += 1 }
    return clusters.flatMap { cluster in
      // Reports a repeated name where it first occurs.
      let count = counts.removeValue(forKey: cluster.name) ?? 1
      return problems(of: cluster, count: count).map { PondError.Fault.invalidPond(problem: $0) }
    }
  }

  private func problems(of cluster: PondCluster, count: Int) -> [String] {
    let name = cluster.name.swiftLiteral
    var problems: [String] = []
    if cluster.shortName.isEmpty {
      let place = cluster.parent.map { " in its cluster \(clusters[$0].name.swiftLiteral)" } ?? ""
      problems.append("has a cluster without a name\(place); give it one")
    } else if count > 1 {
      problems.append("has \(count) clusters named \(name); give each a name of its own")
    }
    switch cluster.refusal {
    case .isWithinItself:
      problems.append("has a cluster \(name) that contains itself; add another pond there")
    case .isTooLarge:
      problems.append("has no room for the cluster \(name); use fewer pebbles")
    case nil: break
    }
    if let most = cluster.maxConcurrent, most < 1 {
      problems.append(
        "has a cluster \(name) that lets at most \(most) pebbles run at a time; "
          + "make that 1 or more")
    }
    return problems
  }
}
