import Pebbles

/// Pebbles that wait for each other in a cycle. That is allowed, and may be meant where an OR
/// opens the cycle; where it stays shut, pebbles stall.
extension Lint {
  mutating func findCycles() {
    let search = CycleSearch(circuit: circuit)
    let uncertain = uncertainRows()
    // What is dead in a cycle has been reported with it.
    for cycle in circuit.cycles where !cycle.contains(where: dead.contains) {
      let shortest = search.shortestCycle(in: cycle)
      let others = cycle.count - shortest.count
      let more = others == 0 ? "" : ", and \(others) more in cycles with them"
      let path = "\(wording.path(shortest)), each waiting for the next\(more)"
      // Where it is not known how pebbles end, a stall that is possible need not be.
      let isKnown = !cycle.contains(where: uncertain.contains)
      switch isKnown ? stall(among: cycle) : .undecided {
      case .possible(let stall):
        report(
          .cycle, .warning, shortest,
          "pebbles wait in a cycle, and stall \(stall.clause): \(path)",
          advice: "give one of them another way to start, or take one condition out",
          example: stall)
      case .impossible:
        report(
          .cycle, .note, shortest, "pebbles wait in a cycle: \(path)",
          advice: "leave it if it is meant; it is opened in every scenario")
      case .undecided:
        report(
          .cycle, .note, shortest, "pebbles wait in a cycle: \(path)",
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
