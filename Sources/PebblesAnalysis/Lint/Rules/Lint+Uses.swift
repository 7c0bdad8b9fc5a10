import Pebbles

/// The rules that compare all uses of a pebble.
extension Lint {
  /// Finds conditions that probably require a success by mistake. Such a condition is the only one
  /// that waits for a certain pebble to succeed, while at least two others wait only for that
  /// pebble to complete.
  ///
  /// The condition may have been overlooked when the others were changed to accept a failure. A
  /// condition is not reported if its own pebble takes the output of the awaited pebble, because
  /// the output exists only after a success.
  mutating func findLonelySuccesses() {
    // Often, many pebbles are operands of the same shared condition. Its users are found once.
    var completions: (gates: [Int], users: Set<Int>) = ([], [])
    for pebble in pebbles where !dead.contains(pebble) && !circuit.hasMentionedCases(pebble) {
      let edges = circuit.network.edges(from: pebble).filter { !circuit.isCase($0.gate) }
      let isPlain = edges.allSatisfy { $0.outcomes == .succeeded || $0.outcomes == .completed }
      guard isPlain,
        let user = onlyUser(of: edges.filter { $0.outcomes == .succeeded }.map(\.gate))
      else { continue }
      let gates = edges.filter { $0.outcomes == .completed }.map(\.gate)
      if gates != completions.gates {
        completions = (gates, Set(gates.flatMap { users(of: $0, atMost: .max) }))
      }
      guard completions.users.count >= 2, !completions.users.contains(user),
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

  /// Returns the pebble whose condition contains one of the gates. Returns `nil` if there is no
  /// such pebble, if there are several, or if the condition contains more than one of the gates.
  private func onlyUser(of gates: [Int]) -> Int? {
    var users: [Int] = []
    for gate in gates where users.count < 2 { users += self.users(of: gate, atMost: 2) }
    return users.count == 1 ? users[0] : nil
  }

  /// Returns the pebbles whose conditions contain the gate, but at most `limit` of them.
  private func users(of gate: Int, atMost limit: Int) -> [Int] {
    guard !circuit.isPebble(gate) else { return [gate] }
    var users: [Int] = []
    var known: Set<Int> = [gate]
    var pending = [gate]
    while let next = pending.popLast() {
      for edge in circuit.network.edges(from: next) where known.insert(edge.gate).inserted {
        guard circuit.isPebble(edge.gate) else {
          pending.append(edge.gate)
          continue
        }
        users.append(edge.gate)
        if users.count == limit { return users }
      }
    }
    return users
  }

  /// Finds pebbles that nothing depends on, although something probably should. These are pebbles
  /// with an unused output, and unconnected pebbles in a pond in which most pebbles are connected.
  ///
  /// A pebble that has a condition but no output, such as a pebble that shows a screen, is a normal
  /// end point of a pond.
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

  /// The minimum ratio of the number of pebbles to the number of unconnected pebbles. If the ratio
  /// is lower, the unconnected pebbles are assumed to be intentional, and are not reported.
  private static var leastConnected: Int { 4 }
}
