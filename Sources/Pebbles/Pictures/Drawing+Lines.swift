extension Drawing {
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
    let course = Course(from: line.from, to: line.to, outcomes: line.outcomes)
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
  }
}
