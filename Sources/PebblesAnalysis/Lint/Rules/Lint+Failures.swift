import Pebbles

/// Failures that no pebble handles: none that runs has them in its condition.
///
/// A failure that another pebble is there for, but may be skipped, is a warning of its own, with a
/// scenario. Those that no pebble is there for are one finding: a warning for pebbles that others
/// wait for, whose failure may silently skip these, and a note for end points, whose failure is in
/// the report. Where the pond has a policy for failures, that handles them.
extension Lint {
  mutating func findUnhandledFailures() {
    guard model.ignoresFailures else { return }
    var unhandled: [Int] = []
    var endPoints: [Int] = []
    let uncertain = uncertainRows()
    for pebble in pebbles where !dead.contains(pebble) {
      switch handlers(of: pebble) {
      case .unknown: continue
      case .pebbles(let handlers) where handlers.isEmpty:
        if circuit.network.edges(from: pebble).isEmpty {
          endPoints.append(pebble)
        } else {
          unhandled.append(pebble)
        }
      case .pebbles(let handlers):
        // That there is a scenario can only be said where it is known how pebbles end.
        guard !([pebble] + handlers).contains(where: uncertain.contains) else { continue }
        findGap(in: handlers, of: pebble)
      }
    }
    if !unhandled.isEmpty {
      // Whether those wait in vain is another matter: an OR may have other branches.
      report(
        .unhandledFailure, .warning, unhandled,
        "no pebble handles the failure of \(wording.list(unhandled, "or")), though others wait for "
          + (unhandled.count == 1 ? "it" : "them"),
        advice: "add a pebble for it, wait with .completed, or ignore this kind and use "
          + "report.check()")
    }
    if !endPoints.isEmpty {
      report(
        .unhandledFailure, .note, endPoints,
        "nothing comes after \(wording.list(endPoints)), so a failure there is only in the report",
        advice: "call report.check(), or ignore this kind")
    }
  }

  /// The rows in, and behind, knots of which it is not known how they end.
  func uncertainRows() -> Set<Int> {
    let unknown = Set(circuit.knots.indices.filter { !space.isKnown(knot: $0) })
    var uncertain: Set<Int> = []
    guard !unknown.isEmpty else { return uncertain }
    for row in circuit.order {
      let isInside = circuit.knot(of: row).map(unknown.contains) ?? false
      if isInside || circuit.rows(awaitedBy: row).contains(where: uncertain.contains) {
        uncertain.insert(row)
      }
    }
    return uncertain
  }

  private enum Handlers {
    case pebbles([Int])
    /// A predicate may handle the failure.
    case unknown
  }

  /// The pebbles that have the failure of a pebble in their conditions.
  private func handlers(of pebble: Int) -> Handlers {
    let network = circuit.network
    guard network.predicateReaders[UInt32(pebble)] == nil else { return .unknown }
    var pending = network.edges(from: pebble).filter { $0.outcomes.contains(.failed) }.map(\.gate)
    var known = Set(pending)
    var handlers: [Int] = []
    while let gate = pending.popLast() {
      if circuit.isPebble(gate) {
        handlers.append(gate)
      } else {
        pending += network.edges(from: gate).map(\.gate).filter { known.insert($0).inserted }
      }
    }
    return .pebbles(handlers.sorted())
  }

  private mutating func findGap(in handlers: [Int], of pebble: Int) {
    let facts: [Fact] = [.failed(pebble)] + handlers.map { .skipped($0) }
    guard case .possible(let witness) = space.find(facts) else { return }
    let example = example(of: facts, witness)
    let name = wording.name(pebble)
    let verb = handlers.count == 1 ? "is" : "are"
    report(
      .unhandledFailure, .warning, [pebble],
      "nobody handles the failure of \(name) \(example.clause): "
        + "\(wording.list(handlers)) \(verb) skipped",
      advice: "add a pebble for that case, or let one of these run then", example: example)
  }
}
