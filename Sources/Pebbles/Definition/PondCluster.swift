/// The pebbles that were added to a definition together, as a copy of another definition.
package struct PondCluster: Sendable {
  /// The prefix of the cluster's pebble names, without the slash. If the cluster is nested, the
  /// prefix begins with that of the enclosing cluster.
  package let name: String

  /// The name under which the cluster was added, without the names of the enclosing clusters.
  package let shortName: String

  package let pebbles: Range<Int>

  /// The number of the enclosing cluster, which is always less than the number of this cluster;
  /// `nil` if this cluster is not nested. Clusters are numbered from 0.
  package let parent: Int?

  /// The maximum number of the cluster's pebbles that run at the same time; `nil` for no limit.
  package let maxConcurrent: Int?

  /// The reason why the other definition could not be copied; `nil` if it was copied. A cluster
  /// that could not be copied has no pebbles.
  var refusal: Refusal?

  enum Refusal: Sendable {
    case isWithinItself, isTooLarge
  }

  /// Creates a cluster.
  ///
  /// - Parameters:
  ///   - shortName: The name under which the cluster was added.
  ///   - parent: The enclosing cluster and its number; `nil` if the new cluster is not nested.
  ///   - pebbles: The pebbles of the cluster, which are also pebbles of the enclosing cluster.
  ///   - maxConcurrent: The maximum number of the cluster's pebbles that run at the same time;
  ///     `nil` for no limit.
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

  /// Returns a copy of this cluster, nested in another cluster.
  ///
  /// - Parameters:
  ///   - parent: The enclosing cluster, which was created when this cluster's definition was added
  ///     to another definition.
  ///   - number: The number of the enclosing cluster.
  /// - Returns: The nested copy.
  func moved(into parent: PondCluster, number: Int) -> PondCluster {
    let offset = parent.pebbles.lowerBound
    return PondCluster(
      name: Self.name(name, inside: parent.name), shortName: shortName,
      pebbles: pebbles.lowerBound + offset..<pebbles.upperBound + offset,
      parent: self.parent.map { $0 + number + 1 } ?? number,
      maxConcurrent: maxConcurrent, refusal: refusal)
  }

  /// Returns the full name of a pebble or cluster inside the cluster `outer`.
  package static func name(_ name: String, inside outer: String) -> String { "\(outer)/\(name)" }
}
