extension Drawing {
  mutating func addLines() {
    let network = pond.network
    for pebble in 0..<network.pebbleCount {
      let event = storage?.state.status(of: pebble).event
      for edge in network.edges(from: pebble) where !network.cases.rows.contains(edge.gate) {
        add(
          Line(
            from: "p\(pebble)", to: target(edge.gate), outcomes: edge.outcomes,
            isTaken: event.map(edge.value(of:)),
            isDeciding: deciding.isDeciding(pebble, edge.gate, edge.outcomes)))
      }
      for row in network.cases.rows(of: pebble) { addLines(ofCase: row) }
    }
    for gate in network.cases.rows.upperBound..<network.rowCount {
      for edge in network.edges(from: gate) {
        add(
          Line(
            from: junction(gate), to: target(edge.gate), isTaken: isTrue(gate: gate),
            isDeciding: deciding.isDeciding(gate, edge.gate, edge.outcomes)))
      }
    }
  }

  /// Adds the lines of a case. A case has no node. Instead, its lines begin at its pebble, and
  /// their text names the case.
  private mutating func addLines(ofCase row: Int) {
    let owner = pond.network.cases[row]
    let value = isTrue(gate: row).map { Event($0) }
    for edge in pond.network.edges(from: row) {
      let isNegated = edge.outcomes.contains(.failed)
      let outcomes = owner.name.outcomes
      add(
        Line(
          from: "p\(owner.pebble)", to: target(edge.gate),
          outcomes: isNegated ? outcomes.complement : outcomes,
          caseCaption: (isNegated ? "not " : "") + owner.name.caption,
          isTaken: value.map(edge.value(of:)),
          isDeciding: deciding.isDeciding(row, edge.gate, edge.outcomes)))
    }
  }

  /// Adds a line, unless it duplicates an existing line or lies between gates that are drawn as one
  /// node. Duplicates occur if several gates are drawn as one node.
  private mutating func add(_ line: Line) {
    // A line between two gates of the goal lies inside one node.
    guard line.from != line.to || line.outcomes != nil else { return }
    let course = Course(
      from: line.from, to: line.to, outcomes: line.outcomes, caseCaption: line.caseCaption)
    if let known = courses[course] {
      if line.isDeciding { lines[known].isDeciding = true }
    } else {
      courses[course] = lines.count
      lines.append(line)
    }
  }

  /// The properties that distinguish lines.
  struct Course: Hashable {
    let from: String
    let to: String
    let outcomes: OutcomeSet?
    let caseCaption: String?
  }
}
