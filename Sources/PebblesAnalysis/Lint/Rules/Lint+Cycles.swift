import Pebbles

/// Pebbles that wait for each other in a circle. That is allowed, and may be meant where an OR
/// opens the circle; where it stays shut, pebbles stall.
extension Lint {
  mutating func findCycles() {
    let search = CycleSearch(circuit: circuit)
    // What is dead in a circle has been reported with it.
    for knot in circuit.knots where !knot.contains(where: dead.contains) {
      let cycle = search.shortestCycle(in: knot)
      let others = knot.count - cycle.count
      let more = others == 0 ? "" : ", and \(others) more in circles with them"
      let path = "\(wording.path(cycle)), each waiting for the next\(more)"
      if let pebble = knot.first(where: { space.find(.stalls($0, true)).isPossible }) {
        let stall = stall(of: pebble)
        report(
          .cycle, .warning, cycle,
          "pebbles wait in a circle, and stall \(stall.clause): \(path)",
          advice: "give one of them another way to start, or take one condition out",
          example: stall)
      } else {
        report(
          .cycle, .note, cycle, "pebbles wait in a circle: \(path)",
          advice: "leave it if it is meant; it is opened in every scenario")
      }
    }
  }

  /// A scenario in which a pebble stalls.
  private mutating func stall(of pebble: Int) -> Finding.Example? {
    let facts = [Fact.stalls(pebble, true)]
    guard case .possible(let witness) = space.find(facts) else { return nil }
    return example(of: facts, witness)
  }
}
