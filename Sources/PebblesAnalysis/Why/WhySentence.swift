import Pebbles

/// A sentence that states why a pebble ended as it did. It names the pebbles that decided the
/// condition. If those pebbles were skipped, it also names the root causes.
///
/// `Explanation` provides the shorter sentences of a report, which name only the deciding pebbles.
struct WhySentence {
  private let replay: Replay
  private let history: DecisionHistory

  /// The kinds of skips, indexed by pebble; `nil` for a pebble that ran.
  private let skipKinds: [SkipKind?]

  init(_ replay: Replay, _ history: DecisionHistory, _ skipKinds: [SkipKind?]) {
    self.replay = replay
    self.history = history
    self.skipKinds = skipKinds
  }

  func sentence(for pebble: Int, _ node: WhyNode) -> String {
    let clause = DecidingClause(of: pebble, history)
    let name = node.name.shortName
    switch history.state.status(of: pebble) {
    case .succeeded, .failed:
      if let run = replay.run.pebbles[pebble].keptFrom {
        return "\(name) \(verb(pebble)) in the run \(run.shortText) and was kept"
      }
      return "\(name) \(verb(pebble))\(start(clause))\(error(pebble))\(behind(clause))"
    case .skippedByCondition:
      return "\(name) \(verb(pebble)): \(need(clause))\(behind(clause))"
    case .skippedByStall:
      return "\(name) \(verb(pebble)) in a stall: \(node.waitsClause)"
    case .skippedByCancellation, .waiting, .running:
      let reason = replay.run.cancellation.map { ": \($0.reason.shortText)" } ?? ""
      return "\(name) was skipped: the run was cancelled before it could start\(reason)"
    case .skippedAsDisabled:
      return "\(name) was skipped: it was disabled for this run"
    case .skippedAsNotAskedFor:
      return "\(name) was skipped: it was not asked for in this run"
    case .skippedByHolder:
      return "\(name) \(verb(pebble)): \(SkipReason.clause(heldBy: holder(of: pebble)))"
    }
  }

  private func start(_ clause: DecidingClause) -> String {
    guard !clause.literals.isEmpty else { return "" }
    let happened = clause.literals.listed { literal in
      literal.fulfilment.map { "\(name(literal.pebble)) \($0)" } ?? happening(literal)
    }
    return ", having started because \(happened.joined(" and "))"
  }

  private func need(_ clause: DecidingClause) -> String {
    guard !clause.literals.isEmpty else { return "its condition is false from the start" }
    let needs = clause.literals.listed { "\(name($0.pebble)) to \($0.infinitive)" }
    let label = clause.label.map { "\($0.shortLiteral), that is " }
    let happened = clause.literals.listed(happening)
    return "it needs \(label ?? "")\(needs.joined(" or ")), "
      + "but \(happened.joined(" and "))"
  }

  private func happening(_ atom: DecidingClause.Literal) -> String {
    let pebble = atom.pebble
    guard let one = atom.pebbleCase, replay.run.pebbles[pebble].cases.isEmpty,
      one.outcomes.accepts(replay.run.pebbles[pebble].outcome.event)
    else { return "\(name(pebble)) \(verb(pebble))" }
    return "\(name(pebble)) \(verb(pebble)) otherwise\(error(pebble))"
  }

  private func behind(_ clause: DecidingClause) -> String {
    roots(of: clause).map { "; \($0)" } ?? ""
  }

  /// Returns the root causes of a pebble's start or skip, as a clause; `nil` if the clause about
  /// the pebble's condition already states all of them in full.
  func roots(for pebble: Int) -> String? { roots(of: DecidingClause(of: pebble, history)) }

  /// Returns a clause that names the root causes behind a deciding clause, in definition order;
  /// `nil` if the deciding clause already states all of them in full.
  private func roots(of clause: DecidingClause) -> String? {
    let state = history.state
    var known: Set<Int> = []
    var direct: Set<Int> = []
    var pending: [Int] = []
    for atom in clause.literals {
      direct.insert(atom.pebble)
      if known.insert(atom.pebble).inserted { pending.append(atom.pebble) }
    }
    var roots: [Int] = []
    while let row = pending.popLast() {
      var isRoot = false
      switch state.network.kind(ofRow: row) {
      case .pebble: isRoot = state.status(of: row) != .skippedByCondition
      case .pebbleCase, .gate: break
      }
      let deciders = isRoot ? [] : history.rows(deciding: row)
      if row < state.network.pebbleCount, deciders.isEmpty, !isPlain(row, in: direct) {
        roots.append(row)
      }
      pending += deciders.filter { known.insert($0).inserted }
    }
    guard !roots.isEmpty else { return nil }
    return "at the root, \(roots.sorted().listed(root).joined(" and "))"
  }

  /// Returns whether a pebble needs no further explanation, given a deciding clause that names the
  /// pebbles in `direct`.
  private func isPlain(_ pebble: Int, in direct: Set<Int>) -> Bool {
    guard direct.contains(pebble) else { return false }
    switch history.state.status(of: pebble) {
    case .succeeded: return true
    case .failed: return error(pebble).isEmpty
    case .waiting, .running, .skippedByCondition, .skippedByStall, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      return false
    }
  }

  private func root(_ pebble: Int) -> String {
    let name = self.name(pebble)
    switch history.state.status(of: pebble) {
    case .succeeded, .waiting, .running: return "\(name) \(verb(pebble))"
    case .failed: return "\(name) failed\(error(pebble))"
    case .skippedByCondition: return "the condition of \(name) is false from the start"
    case .skippedByStall: return "\(name) waits for itself, perhaps through others"
    case .skippedByCancellation: return "\(name) was cancelled"
    case .skippedAsDisabled: return "\(name) was disabled"
    case .skippedAsNotAskedFor: return "\(name) was not asked for"
    case .skippedByHolder: return "\(name) waited for \(holder(of: pebble))"
    }
  }

  /// Returns the name of the pebble that held the resource that `pebble` waited for in vain.
  private func holder(of pebble: Int) -> String {
    history.state.cause(of: pebble).map(name) ?? ""
  }

  private func name(_ pebble: Int) -> String { replay.run.pebbles[pebble].name.shortName }

  private func verb(_ pebble: Int) -> String {
    let record = replay.run.pebbles[pebble]
    return skipKinds[pebble]?.past ?? record.cases.past(or: record.outcome.event)
  }

  private func error(_ pebble: Int) -> String {
    guard case .failed(let error) = replay.run.pebbles[pebble].outcome, !error.isEmpty else {
      return ""
    }
    return ": \(error.shortText)"
  }
}

extension WhyNode {
  /// A clause that states which pebbles wait for each other.
  var waitsClause: String {
    let clauses = waits.prefix(4).map(\.clause)
    let rest = waits.count - clauses.count + elidedWaits
    return (clauses + (rest > 0 ? ["\(rest) more wait for each other"] : []))
      .joined(separator: ", ")
  }
}

extension WhyNode.Wait {
  /// A clause about the wait: `a waits for b or c`.
  var clause: String {
    let names = awaited.map(\.shortName)
    let all = awaited == [pebble] ? ["itself"] : names
    return "\(pebble.shortName) waits for \(all.joined(" or "))"
  }
}

extension String {
  /// A truncated form of this string on a single line, for errors and for reasons given by the
  /// user.
  var shortText: String { truncated(to: Explanation.longestError).singleLine }
}
