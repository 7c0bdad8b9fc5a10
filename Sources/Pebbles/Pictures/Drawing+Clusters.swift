extension Drawing {
  /// A frame around the nodes of a cluster.
  struct Box {
    let number: Int
    let label: String
  }

  /// A step of the outline: a node, or the beginning or end of a box.
  enum Step {
    case node(Node)
    case opening(Box)
    case closing
  }

  /// The boxes and nodes in the order in which they are written, each with its indentation level.
  /// The nodes directly inside a box come before the boxes inside it, and the nodes outside of all
  /// boxes come first. Boxes without pebbles are left out.
  var outline: [(level: Int, step: Step)] {
    let clusters = pond.graph.clusters
    var content = [[Node]](repeating: [], count: clusters.count)
    var outline: [(level: Int, step: Step)] = []
    for node in nodes {
      if let box = node.box { content[box].append(node) } else { outline.append((0, .node(node))) }
    }
    var open: [Int] = []
    // Without a limit, the text would grow with the square of the depth.
    func add(_ step: Step) { outline.append((min(open.count, 20), step)) }
    func close(to parent: Int?) {
      while let last = open.last, last != parent {
        open.removeLast()
        add(.closing)
      }
    }
    // A cluster stands right before the clusters inside it.
    for (number, cluster) in clusters.enumerated() where !cluster.pebbles.isEmpty {
      close(to: cluster.parent)
      add(.opening(Box(number: number, label: Self.label(cluster.shortName))))
      open.append(number)
      content[number].forEach { add(.node($0)) }
    }
    close(to: nil)
    return outline
  }

  /// Returns the clusters in which the gates are drawn, given the clusters that contain the
  /// pebbles.
  ///
  /// Each cluster is represented by its number; `nil` stands for the space outside of all clusters.
  /// A gate is drawn in the cluster of the pebble for which the gate was first created.
  static func boxesOfGates(_ network: ReadinessNetwork, _ boxes: [Int?]) -> [Int?] {
    var boxes = boxes
    // Cases are not drawn.
    boxes += network.cases.rows.map { _ in nil }
    for gate in network.cases.rows.upperBound..<network.rowCount {
      // The first edge of a gate leads to the row that the gate was made for, which is older than
      // the gate.
      boxes.append(network.edges(from: gate).first.flatMap { boxes[$0.gate] })
    }
    return boxes
  }
}
