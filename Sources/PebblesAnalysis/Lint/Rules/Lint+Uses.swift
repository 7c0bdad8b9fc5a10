import Pebbles

/// The rules that compare all uses of a pebble.
extension Lint {
  /// Finds conditions that probably require a success by mistake. Such a condition is the only one
  /// that waits for the success of a certain pebble, while at least two others wait only for the
  /// completion of that pebble.
  ///
  /// The condition may have been overlooked when the others were changed to accept a failure. A
  /// condition is not reported if its pebble takes the output and therefore needs the success.
  mutating func findLonelySuccesses() {
    for pebble in pebbles where !dead.contains(pebble) && !circuit.hasMentionedCases(pebble) {
      var successes: [Int] = []
      var completions: Set<Int> = []
      for edge in circuit.network.edges(from: pebble) where !circuit.isCase(edge.gate) {
        guard edge.outcomes == .succeeded || edge.outcomes == .completed else {
          successes.removeAll()
          completions.removeAll()
          break
        }
        let users = self.users(of: edge.gate)
        if edge.outcomes == .completed { completions.formUnion(users) } else { successes += users }
      }
      guard successes.count == 1, let user = successes.first, completions.count >= 2,
        !completions.contains(user),
        !model.pond.graph.inputs(of: user).contains(Signal(pebble, .succeeded))
      else { continue }
      let name = wording.name(pebble)
      report(
        .lonelySuccess, .note, [user, pebble],
        "\(wording.name(user)) waits for \(name).succeeded, where all others wait for "
          + "\(name).completed",
        advice: "wait for \(name).completed if \(wording.name(user)) does not need its success")
    }
  }

  /// Returns the pebbles whose conditions contain the gate.
  private func users(of gate: Int) -> [Int] {
    var users: [Int] = []
    var known: Set<Int> = [gate]
    var pending = [gate]
    while let next = pending.popLast() {
      if circuit.isPebble(next) {
        users.append(next)
      } else {
        let gates = circuit.network.edges(from: next).map(\.gate)
        pending += gates.filter { known.insert($0).inserted }
      }
    }
    return users
  }

  /// Finds pebbles on which something should probably depend, but nothing does. These are pebbles
  /// with an unused output, and pebbles without a condition in a pond where most others are
  /// connected.
  ///
  /// A pebble with a condition and without an output, such as one that shows a screen, is a normal
  /// end of a pond.
  mutating func findUnusedPebbles() {
    let unread = pebbles.filter { !circuit.isMentioned($0) && !dead.contains($0) }
    let outputs = unread.filter { model.hasKnownOutput(at: $0) }
    if !outputs.isEmpty {
      let (verb, its) = outputs.count == 1 ? ("has an output", "it") : ("have outputs", "them")
      report(
        .unused, .note, outputs,
        "\(wording.list(outputs)) \(verb) that no pebble takes, and nothing depends on \(its)",
        advice: "pass the output on with needs:, or leave it if it is read from the report")
    }
    let known = Set(outputs)
    let alone = unread.filter { !known.contains($0) && circuit.signals(of: $0).isEmpty }
    guard !alone.isEmpty, alone.count * Self.leastConnected <= pebbles.count else { return }
    report(
      .unused, .note, alone,
      "\(wording.list(alone)) \(alone.count == 1 ? "has" : "have") no condition, and nothing "
        + "depends on \(alone.count == 1 ? "it" : "them")",
      advice: "leave it if it runs beside the rest; otherwise let another pebble wait for it")
  }

  /// The minimum ratio of all pebbles to unconnected pebbles at which the latter are reported. At a
  /// lower ratio, they are assumed to be unconnected on purpose.
  private static var leastConnected: Int { 4 }
}
