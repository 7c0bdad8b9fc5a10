extension Drawing {
  mutating func addLines() {
    for pebble in 0..<pond.network.pebbleCount {
      let event = storage?.state.status(of: pebble).event
      for edge in pond.network.edges(from: pebble)
      where pond.network.kind(ofRow: edge.gate) != .pebbleCase {
        add(
          Line(
            from: "p\(pebble)", to: target(edge.gate), outcomes: edge.outcomes,
            isTaken: event.map(edge.value(of:)),
            isDeciding: deciding.isDeciding(pebble, edge.gate, edge.outcomes)))
      }
    }
    for row in pond.network.cases.rows { addLines(ofCase: row) }
    for gate in pond.network.cases.rows.upperBound..<pond.network.gateCount {
      for edge in pond.network.edges(from: gate) {
        add(
          Line(
            from: junction(gate), to: target(edge.gate), isTaken: isTrue(gate: gate),
            isDeciding: deciding.isDeciding(gate, edge.gate, edge.outcomes)))
      }
    }
  }

  /// A case has no node: its lines go out from its pebble, and say which one it is.
  private mutating func addLines(ofCase row: Int) {
    let owner = pond.network.cases[row]
    for edge in pond.network.edges(from: row) {
      let isNegated = edge.outcomes.contains(.failed)
      add(
        Line(
          from: "p\(owner.pebble)", to: target(edge.gate),
          outcomes: isNegated ? owner.name.outcomes.complement : owner.name.outcomes,
          caption: isNegated ? "not \(owner.name.caption)" : owner.name.caption,
          isTaken: storage?.state.value(ofGate: row).map { edge.value(of: Event($0)) },
          isDeciding: deciding.isDeciding(row, edge.gate, edge.outcomes)))
    }
  }

  /// Adds a line, once for all gates that are drawn as one.
  private mutating func add(_ line: Line) {
    let course = Course(
      from: line.from, to: line.to, outcomes: line.outcomes, caption: line.caption)
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
    let caption: String?
  }
}
