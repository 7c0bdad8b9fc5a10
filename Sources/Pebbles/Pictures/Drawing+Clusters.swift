extension Drawing {
  /// A frame around the nodes of a cluster.
  struct Box {
    let number: Int
    let label: String
  }

  /// A step of writing the nodes and the boxes around them.
  enum Step {
    case node(Node)
    case opening(Box)
    case closing
  }

  /// Boxes and nodes in the order in which they are written, each box after the nodes that stand
  /// beside it, and by how many levels to indent. Boxes without pebbles are left out.
  var outline: [(level: Int, step: Step)] {
    let clusters = pond.graph.clusters
    var content = [[Node]](repeating: [], count: clusters.count)
    var outline: [(level: Int, step: Step)] = []
    for node in nodes {
      if let box = node.box { content[box].append(node) } else { outline.append((0, .node(node))) }
    }
    var open: [Int] = []
    // Nothing but a text that grows with the square of the depth would come of indenting more.
    func add(_ step: Step) { outline.append((min(open.count, 20), step)) }
    func close(to parent: Int?) {
      while let last = open.last, last != parent {
        open.removeLast()
        add(.closing)
      }
    }
    // A cluster stands right before those inside of it.
    for (number, cluster) in clusters.enumerated() where !cluster.pebbles.isEmpty {
      close(to: cluster.parent)
      add(.opening(Box(number: number, label: Self.label(cluster.shortName))))
      open.append(number)
      content[number].forEach { add(.node($0)) }
    }
    close(to: nil)
    return outline
  }

  /// For each gate the cluster it is drawn in: that of the pebble it was first made for. `boxes`
  /// are those of the pebbles.
  static func boxesOfGates(_ network: ReadinessNetwork, _ boxes: [Int?]) -> [Int?] {
    var boxes = boxes
    for gate in network.pebbleCount..<network.gateCount {
      // Its first edge leads to what it was made for, and that was there before it.
      boxes.append(network.edges(from: gate).first.flatMap { boxes[$0.gate] })
    }
    return boxes
  }
}
