import Pebbles
import PebblesAnalysis

extension RunFacts {
  /// The maximum length of a name in a picture, in characters.
  static let longestName = 40

  /// The maximum length of an error or a reason in a picture, in characters.
  static let longestReason = 80

  /// Returns the name of a pebble, truncated and on a single line.
  func name(of pebble: Int) -> String { Self.shown(run.pebbles[pebble].name) }

  static func shown(_ name: String) -> String { name.singleLine.truncated(to: longestName) }

  /// Returns a symbol that identifies the outcome of a pebble without relying on colour.
  func sign(of pebble: Int) -> String {
    switch run.pebbles[pebble].outcome {
    case .succeeded: "✓"
    case .failed: "✗"
    case .skipped: skipKinds[pebble]?.sign ?? SkipKind.notNeeded.sign
    }
  }

  /// A summary of the run in sentences: the number of pebbles with each outcome, the goal, the
  /// cancellation, late failures, the longest chain, and the warning about the ends of the pond.
  var verdict: String {
    let groups = run.groups(skipKinds)
    let totals = OutcomeGroup.totals { group in groups.count { $0 == group } }
    var text = totals.prefix(1).uppercased() + totals.dropFirst() + "."
    if let goal = run.goalSentence { text += " \(goal)" }
    if let reason = run.cancellation?.reason {
      let shown = reason.singleLine.truncated(to: Self.longestReason)
      text += shown.isEmpty ? " Cancelled." : " Cancelled: \(shown)."
    }
    if !lateFailures.isEmpty {
      let names = lateFailures.keys.sorted().prefix(3).map(name).joined(separator: ", ")
      let rest = lateFailures.count - 3
      text += " Something went wrong afterwards with \(names)"
      text += rest > 0 ? " and \(rest) more." : "."
    }
    if let problem {
      text += " The longest chain is not known: \(problem.singleLine.truncated(to: 200))."
    } else if let last = chain.last {
      let most = chain.sorted { $0.duration > $1.duration }.prefix(3)
        .map { "\(Self.shown($0.name)) \($0.duration.brief)" }
      let count = chain.count == 1 ? "1 pebble" : "\(chain.count) pebbles"
      text += " The longest chain takes \(last.finished.brief) and has \(count); most of it: "
      text += most.joined(separator: ", ") + "."
    }
    if let warning = run.model.endsWarning { text += " " + warning }
    return text
  }

  /// Returns the outcome and the first few cases of a pebble, worded to follow the pebble's name in
  /// a sentence: `failed as locked`.
  func past(of pebble: Int) -> String {
    let record = run.pebbles[pebble]
    return Array(record.cases.prefix(Self.mostCases)).past(or: record.outcome.event)
  }

  private static let mostCases = 3

  /// Returns details of how a pebble ended, such as its cases, its error, the reason for a skip, or
  /// the number of attempts; `nil` if there is nothing to add.
  func remark(on pebble: Int) -> String? {
    let record = run.pebbles[pebble]
    var parts: [String] = []
    switch record.outcome {
    case .succeeded:
      if run.model.isGiven(at: pebble) { parts.append("given") }
      parts += record.cases.prefix(Self.mostCases).map(\.caption)
    case .failed(let error):
      let text = error.singleLine.truncated(to: Self.longestReason)
      let past = record.cases.isEmpty ? "" : self.past(of: pebble)
      parts.append([past, text].filter { !$0.isEmpty }.joined(separator: ": "))
    case .skipped(let reason):
      let clause = clause(of: reason, decidedBy: record.decidedBy)
      let kind = skipKinds[pebble].flatMap {
        $0 == .blocked || $0 == .notNeeded ? $0.rawValue : nil
      }
      parts.append([kind, clause].compactMap(\.self).joined(separator: ", "))
    }
    if let run = record.keptFrom {
      parts.append("kept from run \(run.singleLine.truncated(to: Self.longestName))")
    }
    if record.attempts.count > 1 { parts.append("\(record.attempts.count) attempts") }
    if record.isStillRunning { parts.append("its body is still running") }
    parts += (lateFailures[pebble] ?? []).map { $0.truncated(to: Self.longestReason) }
    // An error may have an empty text.
    parts.removeAll(where: \.isEmpty)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func clause(of reason: SkipReason, decidedBy cause: Int?) -> String {
    if reason.isConditionFalse {
      guard let cause else { return "its condition is false from the start" }
      let past = skipKinds[cause]?.past ?? past(of: cause)
      return "because \(name(of: cause)) \(past)"
    }
    if reason.isStalled {
      let names = reason.waitingOn.prefix(2).map(Self.shown)
      let more = reason.waitingOn.count - names.count
      let rest = more > 0 ? " and \(more) more" : ""
      return "stalled, waiting for \(names.joined(separator: ", "))\(rest)"
    }
    if let holder = reason.holder { return SkipReason.clause(heldBy: Self.shown(holder)) }
    switch reason {
    case .cancelled: return "cancelled before it could start"
    case .disabled: return "disabled for this run"
    case .notAskedFor: return "not asked for in this run"
    default: return "\(reason)".singleLine.truncated(to: Self.longestReason)
    }
  }
}

extension RecordedRun {
  /// A sentence that states whether the run reached its goal. The value is `nil` if there is no
  /// goal, if the run left out pebbles on which the goal depends, or if the run was asked to end
  /// before it reached the goal. It is also `nil` if the recording contradicts itself.
  var goalSentence: String? {
    // A picture is useful even if the recording contradicts itself.
    guard let isReached = (try? isGoalReached) ?? nil else { return nil }
    let missed = (try? missedGoal) ?? nil
    let sentence = isReached ? "the goal was reached" : missed ?? "the goal was not reached"
    return (sentence.prefix(1).uppercased() + sentence.dropFirst()).singleLine + "."
  }
}

extension PondModel {
  /// A warning about the ends of the pond, shown in pictures of the pond and of its runs; `nil` if
  /// there is nothing to warn about.
  ///
  /// ```
  /// Of 368 endings, 88 have none and 48 have two of the ends showOffline, … and invalid.
  /// ```
  ///
  /// An *end* is a pebble that waits for other pebbles, but that no other pebble waits for. Only
  /// ponds with at most 300 pebbles and 2 to 12 ends are checked. The ends must look like
  /// alternatives, such as the screens of an app: for every end, there must be another end that
  /// never runs in the same ending. There is no warning if the goal mentions an end, because such a
  /// goal already states how a run should end.
  ///
  /// A pebble counts as a step, not as an end, if it reads a pebble whose name ends in the same
  /// word. For example, `otidLogin` is a step if it reads `userLogin`. The warning lists such
  /// pebbles separately.
  ///
  /// To check that exactly one end runs, add a law: see `Law.exactlyOne(of:)`.
  ///
  /// - Complexity: The same as for `scenarios()`, with a small limit on the size of the decision
  ///   diagram.
  var endsWarning: String? { PondEnds(of: self).warning }
}
