import Pebbles

/// A reader for the clusters of a pond. In a document, each cluster is directly followed by the
/// clusters inside it.
struct ClusterReader {
  private let pebbleCount: Int
  private(set) var clusters: [PondCluster] = []

  /// The last cluster that was read and the clusters that contain it, outermost first. The `end` of
  /// each cluster is the lowest position at which another cluster inside that cluster may begin.
  private var chain: [(number: Int, end: Int)] = []

  /// The position after the last pebble of the latest outermost cluster. The next outermost cluster
  /// must not begin before this position.
  private var end = 0

  /// The total length of the names of all clusters, in bytes. The name of a cluster includes the
  /// names of the clusters that contain it, so even a short document can result in long names.
  private var nameBytes = 0

  init(pebbleCount: Int) {
    self.pebbleCount = pebbleCount
  }

  mutating func read(_ list: JSONValue) throws(JSONError) {
    for value in try list.elements() { try append(value) }
  }

  private mutating func append(_ value: JSONValue) throws(JSONError) {
    let fields = try value.object(["name", "parent", "first", "count", "maxConcurrent"])
    let parent = try fields["parent"]?.position(in: clusters.count, "cluster before this one")
    while let last = chain.last, last.number != parent { chain.removeLast() }
    if parent != nil, chain.isEmpty {
      throw value.fault("a cluster should come right after the one around it")
    }
    guard chain.count < value.limits.depth else {
      throw value.fault("clusters are nested more than \(value.limits.depth) deep")
    }

    let outer = parent.map { clusters[$0].pebbles } ?? 0..<pebbleCount
    let first = try fields.required("first").integer(in: 0...Int.max)
    let count = try fields.required("count").integer(in: 0...Int.max)
    let start = max(outer.lowerBound, chain.last?.end ?? end)
    guard first >= start, count <= outer.upperBound - first else {
      throw value.fault(
        "the pebbles of this cluster should be among those at the positions \(start) to "
          + "\(outer.upperBound), the last not included")
    }
    let name = try fields.required("name").string()
    try note(name, inside: parent, of: value)
    let cluster = PondCluster(
      name, inside: parent.map { (clusters[$0], $0) }, pebbles: first..<first + count,
      maxConcurrent: try fields["maxConcurrent"]?.integer(in: 1...Int.max))
    if let last = chain.indices.last {
      chain[last].end = first + count
    } else {
      end = first + count
    }
    chain.append((number: clusters.count, end: first))
    clusters.append(cluster)
  }

  private mutating func note(
    _ name: String, inside parent: Int?, of value: JSONValue
  ) throws(JSONError) {
    nameBytes += name.utf8.count + (parent.map { clusters[$0].name.utf8.count } ?? 0)
    guard nameBytes <= value.limits.bytes else {
      throw value.fault("the names of the clusters are too long together")
    }
  }

  /// Throws an error unless the name of each pebble in a cluster begins with the name of the
  /// pebble's innermost cluster, followed by a slash.
  func check(_ names: StableSlice<String>, in list: JSONValue) throws(JSONError) {
    var innermost = [Int?](repeating: nil, count: names.count)
    for (number, cluster) in clusters.enumerated() {
      for pebble in cluster.pebbles { innermost[pebble] = number }
    }
    for (position, pebble) in try list.elements().enumerated() {
      guard let cluster = innermost[position] else { continue }
      let prefix = PondCluster.name("", inside: clusters[cluster].name)
      guard names[position].unicodeScalars.starts(with: prefix.unicodeScalars) else {
        throw pebble.fault("the name of this pebble should start with \(prefix.shortLiteral)")
      }
    }
  }
}
