import Pebbles

/// Pebbles that wait for each other in a circle. That is allowed, and may be meant where an OR
/// opens the circle; where it stays shut, pebbles stall.
extension Lint {
  mutating func findCycles() {
    let search = CycleSearch(circuit: circuit)
    let uncertain = uncertainRows()
    // What is dead in a circle has been reported with it.
    for knot in circuit.knots where !knot.contains(where: dead.contains) {
      let cycle = search.shortestCycle(in: knot)
      let others = knot.count - cycle.count
      let more = others == 0 ? "" : ", and \(others) more in circles with them"
      let path = "\(wording.path(cycle)), each waiting for the next\(more)"
      // Where it is not known how pebbles end, a stall that is possible need not be.
      let isKnown = !knot.contains(where: uncertain.contains)
      switch isKnown ? stall(among: knot) : .undecided {
      case .possible(let stall):
        report(
          .cycle, .warning, cycle,
          "pebbles wait in a circle, and stall \(stall.clause): \(path)",
          advice: "give one of them another way to start, or take one condition out",
          example: stall)
      case .impossible:
        report(
          .cycle, .note, cycle, "pebbles wait in a circle: \(path)",
          advice: "leave it if it is meant; it is opened in every scenario")
      case .undecided:
        report(
          .cycle, .note, cycle, "pebbles wait in a circle: \(path)",
          advice: "leave it if it is meant; whether it is opened in every scenario was not decided")
      }
    }
  }

  private enum Stall {
    /// With a scenario, if one was found.
    case possible(Finding.Example?)
    case impossible
    case undecided
  }

  /// Whether any of these pebbles stalls in some scenario.
  private mutating func stall(among pebbles: [Int]) -> Stall {
    var isDecided = true
    for pebble in pebbles {
      let facts = [Fact.stalls(pebble, true)]
      switch space.find(facts) {
      case .possible(let witness): return .possible(example(of: facts, witness))
      case .impossible: continue
      case .undecided: isDecided = false
      }
    }
    return isDecided ? .impossible : .undecided
  }
}
