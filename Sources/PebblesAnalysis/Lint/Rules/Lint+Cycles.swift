import Pebbles

/// The rule about pebbles that wait for each other in a cycle. A cycle is allowed, and may be
/// intended if an OR lets one pebble of the cycle start without the others. If no pebble of the
/// cycle can start, the pebbles stall.
extension Lint {
  mutating func findCycles() {
    let search = CycleSearch(circuit: circuit)
    let uncertain = uncertainRows()
    // A cycle with a dead pebble has been reported by another rule.
    for cycle in circuit.cycles where !cycle.contains(where: dead.contains) {
      let shortest = search.shortestCycle(in: cycle)
      let others = cycle.count - shortest.count
      let more = others == 0 ? "" : ", and \(others) more in cycles with them"
      let path = "\(wording.path(shortest)), each waiting for the next\(more)"
      // If the outcomes of the cycle are not known, a stall that seems possible may be impossible.
      let isKnown = !cycle.contains(where: uncertain.contains)
      switch isKnown ? stall(among: cycle) : .undecided {
      case .possible(let stall):
        report(
          .cycle, .warning, shortest,
          "pebbles wait in a cycle, and stall \(stall.clause): \(path)",
          advice: "give one of them another way to start, or remove one condition",
          example: stall)
      case .impossible:
        report(
          .cycle, .note, shortest, "pebbles wait in a cycle: \(path)",
          advice: "leave it if it is meant; every scenario breaks it")
      case .undecided:
        report(
          .cycle, .note, shortest, "pebbles wait in a cycle: \(path)",
          advice: "leave it if it is meant; whether every scenario breaks it was not decided")
      }
    }
  }

  private enum Stall {
    /// A stall that can happen, with an example if a scenario was found.
    case possible(Finding.Example?)
    case impossible
    case undecided
  }

  /// Returns whether any of the given pebbles can stall, with an example if one was found.
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
