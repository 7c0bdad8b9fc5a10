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
