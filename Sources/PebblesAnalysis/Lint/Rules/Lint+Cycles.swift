import Pebbles

/// Pebbles that wait for each other in a circle. That is allowed, and may be meant where an OR opens
/// the circle; where it stays shut, pebbles stall.
extension Lint {
  mutating func findCycles() {
    let search = CycleSearch(circuit: circuit)
    // What is dead in a circle has been reported with it.
    for knot in circuit.knots where !knot.contains(where: dead.contains) {
      let cycle = search.shortestCycle(in: knot)
      let others = knot.count - cycle.count
      let more = others == 0 ? "" : ", and \(others) more in circles with them"
      let path = "\(wording.path(cycle)), each waiting for the next\(more)"
      if let stall = stall(in: knot) {
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

  /// A scenario in which pebbles of the knot stall.
  private mutating func stall(in knot: [Int]) -> Finding.Example? {
    for pebble in knot {
      if case .possible(let scenario) = space.find(.stalls(pebble, true)) {
        return example(of: [.stalls(pebble, true)], scenario)
      }
    }
    return nil
  }
}
