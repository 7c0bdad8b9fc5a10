import Pebbles

/// The rule about dead pebbles, which are pebbles that never run. It reports only root causes. The
/// pebbles that a root cause prevents from running are listed as its followers.
extension Lint {
  mutating func findDeadPebbles() {
    AnalysisProgress.begin("pebbles looked at", of: pebbles.count)
    for pebble in pebbles {
      AnalysisProgress.reach(pebble)
      if space.find(.ran(pebble)).isImpossible { dead.insert(pebble) }
    }
    guard !dead.isEmpty else { return }

    let roots = rootsOfDead()
    var followers: [Int: [Int]] = [:]
    for pebble in dead.sorted() {
      if let root = roots[pebble], root != pebble { followers[root, default: []].append(pebble) }
    }
    for pebble in dead.sorted() where roots[pebble] == pebble {
      reportDead(pebble, followers: followers[pebble, default: []])
    }
  }

  /// Returns the root cause of each dead pebble: another dead pebble, or the pebble itself.
  ///
  /// A dead pebble is its own root cause if its condition would never be true, even assuming that
  /// dead pebbles can end in any way.
  private mutating func rootsOfDead() -> [Int: Int] {
    var roots: [Int: Int] = [:]
    var rootOfCycle: [Int: Int] = [:]
    for pebble in circuit.order where circuit.isPebble(pebble) && dead.contains(pebble) {
      let isCause = space.find([.gate(pebble, freeing: dead)]).isImpossible
      let causes = isCause ? [] : deadPebbles(awaitedBy: pebble)
      if let root = causes.lazy.compactMap({ roots[$0] }).first {
        roots[pebble] = root
      } else if !causes.isEmpty, let cycle = circuit.cycle(of: pebble) {
        // The pebbles of one cycle are dead because of each other.
        let root = rootOfCycle[cycle] ?? pebble
        rootOfCycle[cycle] = root
        roots[pebble] = root
      } else {
        roots[pebble] = pebble
      }
    }
    return roots
  }

  /// Returns the dead pebbles that would have to run for some atom of a pebble's condition to be
  /// true.
  private func deadPebbles(awaitedBy pebble: Int) -> [Int] {
    circuit.leaves(of: pebble)
      .filter { !$0.outcomes.contains(.skipped) }.map { circuit.pebble(of: $0.source) }
      .filter(dead.contains)
  }

  private mutating func reportDead(_ pebble: Int, followers: [Int]) {
    guard circuit.cycle(of: pebble) != nil, !space.find(.stalls(pebble, true)).isImpossible else {
      return reportNeverTrue(pebble, followers: followers)
    }
    let cycle = circuit.cycle(of: pebble)
    let members = ([pebble] + followers.filter { circuit.cycle(of: $0) == cycle }).sorted()
    let rest = followers.filter { circuit.cycle(of: $0) != cycle }
    let shortest = cycle.map { CycleSearch(circuit: circuit).shortestCycle(in: circuit.cycles[$0]) }
    let path = shortest.map { ", each waiting for the next: \(wording.path($0))" } ?? ""
    if members.allSatisfy({ space.find(.stalls($0, false)).isImpossible }) {
      report(
        .alwaysStalls, .warning, members, followers: rest,
        "\(wording.list(members)) \(members.count == 1 ? "stalls" : "stall") in every "
          + "scenario\(path)\(consequence(rest))",
        advice: "break the cycle: remove one of these conditions, or add another way with ||")
    } else {
      report(
        .neverRuns, .warning, members, followers: rest,
        "\(wording.list(members)) can never run: the condition is false, or pebbles wait "
          + "in a cycle\(path)\(consequence(rest))",
        advice: "break the cycle, change the condition, or remove the pebble")
    }
  }

  private mutating func reportNeverTrue(_ pebble: Int, followers: [Int]) {
    let name = wording.name(pebble)
    let reason =
      contradiction(in: pebble).map { "can never run: \($0) is true in no scenario" }
      ?? "never runs: its condition is .never"
    report(
      .neverTrue, .warning, [pebble], followers: followers,
      "\(name) \(reason)\(consequence(followers))",
      advice: "change the condition of \(name), or remove the pebble")
  }

  private func consequence(_ followers: [Int]) -> String {
    guard !followers.isEmpty else { return "" }
    let verb = followers.count == 1 ? "runs" : "run"
    return "; because of this \(wording.list(followers)) never \(verb) either"
  }

  /// Returns a minimal set of operands that cannot be true together, as a string; `nil` if the
  /// condition has no operands, or if its operands are not known to exclude each other.
  ///
  /// All operands are returned if the condition is an OR, or if it has too many operands to search
  /// for a minimal set.
  private mutating func contradiction(in pebble: Int) -> String? {
    var operands = Array(circuit.signals(of: pebble))
    guard !operands.isEmpty else { return nil }
    let kind = circuit.network.kinds[pebble]
    guard kind == .all, operands.count <= Self.mostNarrowed else {
      return wording.text(of: operands, kind)
    }
    guard space.find(operands.map(Fact.signal)).isImpossible else { return nil }
    for operand in operands {
      let others = operands.filter { $0 != operand }
      if !others.isEmpty, space.find(others.map(Fact.signal)).isImpossible { operands = others }
    }
    return wording.text(of: operands, kind)
  }

  /// The maximum number of operands among which the rule searches for a minimal set.
  private static var mostNarrowed: Int { 64 }
}

/// The rule about a goal that no run can reach. With such a goal, every run fails.
extension Lint {
  mutating func findUnreachableGoal() {
    guard let goal = circuit.network.goal,
      space.find(.signal(Signal(gate: goal))).isImpossible
    else { return }
    let text = wording.text(of: Signal(gate: goal))
    report(
      .unreachableGoal, .warning, [],
      "no run reaches the goal: \(text) is true in no scenario",
      advice: "fix the goal, or the conditions that it depends on")
  }
}
