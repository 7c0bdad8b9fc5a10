extension Drawing {
  /// A predicate, with lines from all that it reads.
  mutating func addPredicates() {
    for predicate in 0..<pond.network.predicateCount {
      let identifier = "q\(predicate)"
      let row = pond.network.row(ofPredicate: predicate)
      let edges = pond.network.edges(from: row)
      var node = Node(identifier: identifier, shape: .predicate, label: "predicate")
      node.box = edges.first.flatMap { boxes[$0.gate] }
      nodes.append(node)
      let isHeld = storage.flatMap {
        $0.state.isHeld(predicate: predicate) ? true : now == nil ? false : nil
      }
      for read in pond.network.predicateReads[predicate] {
        let isDeciding = deciding.isDeciding(Int(read), row, .settled)
        add(
          Line(
            from: "p\(read)", to: identifier, isDashed: true, isTaken: isHeld,
            isDeciding: isDeciding))
      }
      for edge in edges {
        let isNegated = !edge.outcomes.contains(.succeeded)
        add(
          Line(
            from: identifier, to: target(edge.gate), isNegated: isNegated, isDashed: true,
            isTaken: isHeld.map { $0 != isNegated },
            isDeciding: deciding.isDeciding(row, edge.gate, edge.outcomes)))
      }
    }
  }

  mutating func addLines() {
    for pebble in 0..<pond.network.pebbleCount {
      let event = storage?.state.status(of: pebble).event
      for edge in pond.network.edges(from: pebble) {
        add(
          Line(
            from: "p\(pebble)", to: target(edge.gate), outcomes: edge.outcomes,
            isTaken: event.map(edge.value(of:)),
            isDeciding: deciding.isDeciding(pebble, edge.gate, edge.outcomes)))
      }
    }
    for gate in pond.network.pebbleCount..<pond.network.gateCount {
      for edge in pond.network.edges(from: gate) {
        add(
          Line(
            from: junction(gate), to: target(edge.gate), isTaken: isTrue(gate: gate),
            isDeciding: deciding.isDeciding(gate, edge.gate, edge.outcomes)))
      }
    }
  }

  /// Adds a line, once for all gates that are drawn as one.
  private mutating func add(_ line: Line) {
    let course = Course(
      from: line.from, to: line.to, outcomes: line.outcomes, isNegated: line.isNegated)
    if let known = courses[course] {
      if line.isDeciding { lines[known].isDeciding = true }
    } else {
      courses[course] = lines.count
      lines.append(line)
    }
  }

  /// What tells a line from another.
  struct Course: Hashable {
    let from: String
    let to: String
    let outcomes: OutcomeSet?
    let isNegated: Bool
  }
}
