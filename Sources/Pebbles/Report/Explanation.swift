/// Explanations of why the pebbles of a run ended as they did, in sentences that name the pebbles
/// responsible.
package struct Explanation {
  private let storage: RunStorage
  private let history: DecisionHistory
  private let blocked: BlockedPebbles

  /// The maximum length of an error in a sentence, in characters.
  package static let longestError = 500

  package init(_ storage: RunStorage) {
    self.storage = storage
    history = DecisionHistory(storage.state, storage.pond.operands)
    blocked = storage.blocked
  }

  func sentence(for pebble: Int) -> String {
    let name = self.name(pebble)
    switch storage.state.status(of: pebble) {
    case .waiting: return "\(name) has not started"
    case .running: return "\(name) is running"
    case .succeeded:
      let end = unaskedEnd(of: pebble).map { ", but \($0)" } ?? ""
      if storage.pond.properties.pebbles[UInt32(pebble)]?.isGiven == true {
        return "\(name) \(past(pebble)): the run was given its value"
      }
      if let run = storage.kept[pebble]?.run {
        return "\(name) \(past(pebble)) in the run \(run) and was kept\(end)"
      }
      return "\(name) \(past(pebble))\(enabling(pebble))\(end)"
    case .failed:
      let error = storage.values.error(at: pebble).map { "\($0)" } ?? ""
      return
        "\(name) \(past(pebble))\(enabling(pebble)): "
        + error.truncated(to: Self.longestError).singleLine
    case .skippedByCondition, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedAsNotAskedFor, .skippedByHolder:
      return "\(name) \(past(pebble)): \(skipReason(of: pebble) ?? "")"
    }
  }

  /// Returns a clause that explains why a pebble was skipped, such as
  /// `"it was disabled for this run"`; `nil` if the pebble was not skipped.
  func skipReason(of pebble: Int) -> String? {
    switch storage.state.status(of: pebble) {
    case .waiting, .running, .succeeded, .failed: return nil
    case .skippedByCondition: return falsification(of: pebble)
    case .skippedByStall: return stall(of: pebble)
    case .skippedByCancellation: return "the run was cancelled before it could start"
    case .skippedAsDisabled: return "it was disabled for this run"
    case .skippedAsNotAskedFor: return "it was not asked for in this run"
    case .skippedByHolder:
      return SkipReason.clause(heldBy: storage.state.cause(of: pebble).map(self.name) ?? "")
    }
  }

  /// Returns a clause stating that services ended without being asked to stop, such as
  /// `"it ended at 2 s without having been asked to"`; `nil` if no service did.
  ///
  /// If the pebble itself is such a service, the clause is about the pebble; otherwise, it is about
  /// services of runs inside the pebble. The clause omits the time for a kept service, and for a
  /// service of a run inside the pebble, because their times are offsets from the start of another
  /// run.
  func unaskedEnd(of pebble: Int) -> String? {
    guard let notes = storage.notes(at: pebble), notes.isServiceDown, let end = notes.serviceEnd
    else {
      let inside = storage.servicesDownInside(at: pebble)
      let more = inside.count > 1 ? ", as did \(inside.count - 1) more" : ""
      return inside.first.map { "\($0)\(more)" }
    }
    let error = end.error.map { ": \("\($0)".truncated(to: Self.longestError).singleLine)" } ?? ""
    let time = storage.kept[pebble] == nil ? " at \(end.time.brief)" : ""
    return "it ended\(time) without having been asked to\(error)"
  }

  private func enabling(_ pebble: Int) -> String {
    guard let cause = storage.state.cause(of: pebble) else { return "" }
    return ", having started when \(name(cause)) \(past(cause))"
  }

  private func stall(of pebble: Int) -> String {
    let names = storage.pond.graph.names
    let awaited = storage.state.stall(of: pebble).map { names[$0] }
    return SkipReason.clause(stalled: names[pebble], waitingOn: awaited)
  }

  private func falsification(of pebble: Int) -> String {
    guard storage.state.cause(of: pebble) != nil else {
      return "its condition is false from the start"
    }
    return sentence(DecidingClause(of: pebble, history))
  }

  /// Returns a sentence that explains why the goal of the run was not reached.
  package func missedGoal(_ goal: Int) -> String {
    let falsifier = DecidingClause(of: goal, history)
    guard !falsifier.literals.isEmpty else {
      return "the goal was not reached: no run can reach it"
    }
    return "the goal was not reached: \(sentence(falsifier))"
  }

  private func sentence(_ falsifier: DecidingClause) -> String {
    let needs = falsifier.literals.listed { "\(name($0.pebble)) to \($0.infinitive)" }
    let happened = falsifier.literals.listed(happening)
    let label = falsifier.label.map { "\($0.shortLiteral), that is " } ?? ""
    return "it needs \(label)\(needs.joined(" or ")), but \(happened.joined(" and "))"
  }

  private func name(_ pebble: Int) -> String {
    storage.pond.graph.names[pebble].shortName
  }

  private func past(_ pebble: Int) -> String {
    let status = storage.state.status(of: pebble)
    if let skipped = blocked.skipKind(of: pebble, status) { return skipped.past }
    guard let event = status.event else { return "had not ended" }
    return storage.state.cases(of: pebble).past(or: event)
  }

  /// Returns a clause that states how a literal's pebble actually ended, such as `"fetch failed"`.
  ///
  /// If the literal's case belongs to the actual outcome, but none of the pebble's cases holds, the
  /// clause ends with the word `otherwise`, followed by the error if the pebble failed:
  /// `"fetch failed otherwise: no route"`.
  private func happening(_ literal: DecidingClause.Literal) -> String {
    let status = storage.state.status(of: literal.pebble)
    let done = "\(name(literal.pebble)) \(past(literal.pebble))"
    guard let one = literal.pebbleCase, let event = status.event, one.outcomes.accepts(event),
      storage.state.cases(of: literal.pebble).isEmpty
    else { return done }
    let error =
      storage.values.error(at: literal.pebble)
      .map { ": \("\($0)".truncated(to: Self.longestError).singleLine)" } ?? ""
    return "\(name(literal.pebble)) \(event.past) otherwise\(error)"
  }
}

extension Event {
  /// The event in the past tense, worded to follow a pebble's name, such as `"was skipped"`.
  package var past: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "was skipped"
    }
  }
}

extension PebbleRecord {
  /// A sentence that explains why the pebble ended as it did, and names the pebbles responsible.
  /// For example: `showOffline was not needed: it needs ping to fail, but ping succeeded`.
  ///
  /// - Complexity: O(atoms of the condition). The first call for a run takes O(pebbles + atoms).
  public var explanation: String { Explanation(storage).sentence(for: position) }
}
