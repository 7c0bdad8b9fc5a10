import Pebbles

/// The rule about failures that no pebble handles. It is applied only on request. As in
/// `FailureHandlers`, a failure is handled if a pebble that runs reads the failure, or reads a skip
/// that the failure caused. If cases decide whether a failure caused a skip, the rule assumes that
/// the failure caused it. Therefore, all findings are true, but some may be missing.
///
/// If a failure is unhandled only in scenarios in which its handlers are skipped, it is reported as
/// a separate warning, with an example.
///
/// Failures that no pebble ever handles are reported in at most two findings. The first lists the
/// pebbles that others wait for. It is a warning, because the others may be skipped silently. The
/// second lists the end points, that is, the pebbles that no other pebble waits for. It is a note,
/// because the report of the run contains their failures. If the pond has a failure policy, both
/// findings are notes, because the policy deals with the failures.
extension Lint {
  mutating func findUnhandledFailures() {
    var unhandled: [Int] = []
    var endPoints: [Int] = []
    let uncertain = uncertainRows()
    // In this order, a pebble comes before the pebbles it reads, so a dead end need not be examined
    // again.
    let pebbles = circuit.order.reversed().filter(circuit.isPebble)
    for pebble in pebbles where !dead.contains(pebble) && !model.isGiven(at: pebble) {
      switch failureReaders.handlers(of: pebble) {
      case .tooMany: space.giveUp()
      case .pebbles(let handlers):
        // A scenario can be given as an example only if the outcomes of these pebbles are known.
        guard handlers.isEmpty || !([pebble] + handlers).contains(where: uncertain.contains) else {
          continue
        }
        let able = handlersThatCanRun(of: handlers, after: pebble)
        if !able.isEmpty {
          findGap(in: able, of: pebble)
        } else if !failureReaders.isRead(pebble) {
          endPoints.append(pebble)
        } else {
          unhandled.append(pebble)
        }
      }
    }
    if !unhandled.isEmpty { reportUnhandled(unhandled.sorted()) }
    if !endPoints.isEmpty { reportEndPoints(endPoints.sorted()) }
  }

  private mutating func reportUnhandled(_ pebbles: [Int]) {
    let pronoun = pebbles.count == 1 ? "it" : "them"
    let sentence =
      "no pebble handles the failure of \(wording.list(pebbles, "or")), though others wait for "
      + pronoun
    switch model.failurePolicy {
    case .ignore:
      // The sentence does not say that the waiting pebbles are skipped: an OR may have other
      // branches.
      report(
        .unhandledFailure, .warning, pebbles, sentence,
        advice: "add a pebble for it, wait with .completed, or leave it to report.check()")
    case .cancelAll:
      report(
        .unhandledFailure, .note, pebbles, "\(sentence): that cancels the run",
        advice: "add a pebble for it if the run is to go on")
    case .custom:
      report(
        .unhandledFailure, .note, pebbles, "\(sentence): that is left to the failure policy",
        advice: "add a pebble for it, or leave it to the policy")
    }
  }

  private mutating func reportEndPoints(_ pebbles: [Int]) {
    let sentence = "nothing comes after \(wording.list(pebbles)), so a failure there"
    switch model.failurePolicy {
    case .ignore:
      report(
        .unhandledFailure, .note, pebbles, "\(sentence) is only in the report",
        advice: "call report.check()")
    case .cancelAll:
      report(
        .unhandledFailure, .note, pebbles, "\(sentence) cancels the run",
        advice: "add a pebble for it if the run is to go on")
    case .custom:
      report(
        .unhandledFailure, .note, pebbles, "\(sentence) is left to the failure policy",
        advice: "leave it if the policy knows what to do")
    }
  }

  /// Returns the rows of all cycles with unknown outcomes, and all rows that depend on those rows.
  func uncertainRows() -> Set<Int> {
    let unknown = Set(circuit.cycles.indices.filter { !space.isKnown(cycle: $0) })
    var uncertain: Set<Int> = []
    guard !unknown.isEmpty else { return uncertain }
    for row in circuit.order {
      let isInside = circuit.cycle(of: row).map(unknown.contains) ?? false
      if isInside || circuit.rows(awaitedBy: row).contains(where: uncertain.contains) {
        uncertain.insert(row)
      }
    }
    return uncertain
  }

  /// Returns the handlers that can run after the pebble has failed. Returns all handlers if there
  /// are too many to examine.
  private mutating func handlersThatCanRun(of handlers: [Int], after pebble: Int) -> [Int] {
    // If there are many handlers, it is assumed that one of them can run.
    guard handlers.count <= Self.mostHandlers else { return handlers }
    return handlers.filter { !space.find([.failed(pebble), .ran($0)]).isImpossible }
  }

  /// The maximum number of handlers to examine for one failure.
  private static var mostHandlers: Int { 64 }

  private mutating func findGap(in handlers: [Int], of pebble: Int) {
    let facts: [Fact] = [.failed(pebble)] + handlers.map { .skipped($0) }
    guard case .possible(let witness) = space.find(facts) else { return }
    let example = example(of: facts, witness)
    let name = wording.name(pebble)
    let verb = handlers.count == 1 ? "is" : "are"
    let consequence =
      switch model.failurePolicy {
      case .ignore: ""
      case .cancelAll: ", and the run is cancelled"
      case .custom: ", and it is left to the failure policy"
      }
    report(
      .unhandledFailure, .warning, [pebble],
      "no pebble handles the failure of \(name) \(example.clause): "
        + "\(wording.list(handlers)) \(verb) skipped\(consequence)",
      advice: "add a pebble for that case, or let one of these run then", example: example)
  }
}
