/// Pebbles that a definition has taken in together, as a copy of another one.
package struct PondCluster: Sendable {
  /// What stands before the names of its pebbles, without the slash; that of a nested cluster
  /// begins with that of the one around it.
  package let name: String

  /// As what it was added.
  package let shortName: String

  package let pebbles: Range<Int>

  /// The number of the cluster around it, which is always less than its own.
  package let parent: Int?

  /// How many of its pebbles may run at a time; no limit if `nil`.
  package let maxConcurrent: Int?

  /// Why it has no pebbles although there was something to take in.
  var refusal: Refusal?

  enum Refusal: Sendable {
    case isWithinItself, isTooLarge
  }

  /// - Parameters:
  ///   - shortName: As what it was added.
  ///   - parent: The cluster around it, with its number.
  ///   - pebbles: Its pebbles, among those of the cluster around it.
  ///   - maxConcurrent: How many of its pebbles may run at a time; no limit if `nil`.
  package init(
    _ shortName: String, inside parent: (cluster: PondCluster, number: Int)?, pebbles: Range<Int>,
    maxConcurrent: Int?
  ) {
    self.init(
      name: parent.map { Self.name(shortName, inside: $0.cluster.name) } ?? shortName,
      shortName: shortName, pebbles: pebbles, parent: parent?.number,
      maxConcurrent: maxConcurrent)
  }

  init(
    name: String, shortName: String, pebbles: Range<Int>, parent: Int?, maxConcurrent: Int?,
    refusal: Refusal? = nil
  ) {
    self.name = name
    self.shortName = shortName
    self.pebbles = pebbles
    self.parent = parent
    self.maxConcurrent = maxConcurrent
    self.refusal = refusal
  }

  /// The cluster as it stands in a definition that takes in the one it is part of.
  func moved(into parent: PondCluster, number: Int) -> PondCluster {
    let offset = parent.pebbles.lowerBound
    return PondCluster(
      name: Self.name(name, inside: parent.name), shortName: shortName,
      pebbles: pebbles.lowerBound + offset..<pebbles.upperBound + offset,
      parent: self.parent.map { $0 + number + 1 } ?? number,
      maxConcurrent: maxConcurrent, refusal: refusal)
  }

  /// What a pebble or a cluster is called inside of the cluster `outer`.
  package static func name(_ name: String, inside outer: String) -> String { "\(outer)/\(name)" }
}

extension PondGraph {
  /// What is wrong with the clusters themselves, in definition order.
  var clusterFaults: [PondError.Fault] {
    var counts: [String: Int] = [:]
    for cluster in clusters { counts[cluster.name, default: 0] += 1 }
    return clusters.flatMap { cluster in
      // Counted where it first stands.
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
      problems.append("has a cluster \(name) that is a pond added to itself; add another one there")
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
