import Pebbles

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
