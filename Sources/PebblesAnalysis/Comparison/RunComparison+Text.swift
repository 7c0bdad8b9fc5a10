import Pebbles

extension RunComparison: CustomStringConvertible {
  /// A table with a section for each kind of difference. Each pebble is listed in only one section.
  ///
  /// The first line states both makespans. The sections follow in this order:
  ///
  /// - pebbles that newly failed
  /// - pebbles that were newly blocked
  /// - new late failures
  /// - other changed outcomes
  /// - pebbles that are only in the later run
  /// - pebbles that are only in the earlier run
  /// - pebbles that changed the makespan
  /// - other pebbles that got slower
  /// - other pebbles that got faster
  ///
  /// Each section shows its first twenty pebbles. A difference in duration of less than a
  /// thousandth of the longer makespan is most likely noise, so pebbles with such differences are
  /// not listed individually.
  public var description: String {
    var table = ComparisonTable(self)
    return table.text()
  }
}

private struct ComparisonTable {
  private static let mostLines = 20
  private static let widestName = 40
  private static let longestError = 200

  private let comparison: RunComparison
  private let noise: Duration
  private let width: Int
  private let groups: (before: [String: OutcomeGroup], after: [String: OutcomeGroup])
  private var lines: [String] = []

  /// The late failures of the later run, except those of pebbles that also had late failures in the
  /// earlier run. The failures are keyed by the name of the pebble.
  private let lateFailures: [String: [String]]

  /// The names of the pebbles that have been listed. No pebble is listed twice.
  private var told: Set<String> = []

  init(_ comparison: RunComparison) {
    self.comparison = comparison
    noise = max(comparison.before.makespan, comparison.after.makespan) / 1000
    let shown = comparison.makespanMovers.prefix(Self.mostLines) + comparison.slower.prefix(20)
    let names = (shown + comparison.faster.prefix(Self.mostLines)).map { Self.name($0).count }
    width = max(names.max() ?? 0, "moved the makespan".count)
    lateFailures = Dictionary(grouping: comparison.newLateFailures, by: \.pebble)
      .mapValues { $0.map(\.clause) }
    groups = (comparison.before.groupsByName, comparison.after.groupsByName)
  }

  mutating func text() -> String {
    let (before, after) = (comparison.before, comparison.after)
    let change = Self.change(from: before.makespan, to: after.makespan)
    let name = after.model.name.singleLine.truncated(to: Self.widestName)
    lines = ["\(name): \(before.makespan.brief) before, \(after.makespan.brief) after (\(change))"]
    for (run, word) in [(before, "before"), (after, "after")] {
      if run.unended != nil {
        lines.append("the run \(word) had not ended when its journal was read")
        continue
      }
      guard let cancellation = run.cancellation else { continue }
      let clause = cancellation.reason.truncated(to: Self.longestError).singleLine
      lines.append("the run \(word) was cancelled: \(clause)")
    }
    if let lostGoal = comparison.lostGoal { lines.append("\(lostGoal); it was reached before") }
    let changed = comparison.changedOutcomes
    let (starts, ends) = groups
    let isNow = { (group: OutcomeGroup) in changed.filter { ends[$0.name] == group } }
    let isNewly = { (group: OutcomeGroup) in isNow(group).filter { starts[$0.name] != group } }
    append(isNewly(.failed), ended: "✗ newly failed")
    append(isNewly(.blocked), ended: "⊘ newly blocked")
    appendLateFailures()
    let isNew = { [told] (pebble: PebbleComparison) in !told.contains(pebble.name) }
    append(OutcomeGroup.allCases.flatMap(isNow).filter(isNew), ended: "ended otherwise")
    append(comparison.new.filter(isNew), ended: "only in the later run")
    append(comparison.vanished, ended: "only in the earlier run")
    appendMovers()
    append(comparison.slower, titled: "also slower")
    append(comparison.faster, titled: "also faster")
    return lines.joined(separator: "\n")
  }

  private mutating func appendMovers() {
    let all = comparison.makespanMovers
    let movers = all.filter { !told.contains($0.name) }
    let loud = movers.filter { $0.makespanShare.magnitude >= noise }
    let others = all.filter { told.contains($0.name) }
    let before = others.reduce(.zero) { $0 + ($1.criticalBefore ?? .zero) }
    let after = others.reduce(.zero) { $0 + ($1.criticalAfter ?? .zero) }
    let hasOthers = (after - before).magnitude >= max(noise, .nanoseconds(1))
    let hasGaps = comparison.gapDifference.magnitude >= max(noise, .nanoseconds(1))
    guard !loud.isEmpty || hasOthers || hasGaps else { return }
    appendHeading("moved the makespan")
    for pebble in loud.prefix(Self.mostLines) {
      appendLine(
        Self.name(pebble), pebble.criticalBefore, pebble.criticalAfter, pebble.offPath)
    }
    told.formUnion(
      movers.filter { !$0.lacksTimesToCompare || $0.makespanShare.magnitude >= noise }.map(\.name))
    appendRest(loud.count)
    if hasOthers { appendLine("those named above", before, after) }
    if hasGaps { appendLine("between pebbles", comparison.gaps.before, comparison.gaps.after) }
    appendNoise(movers.count - loud.count)
  }

  private mutating func append(_ pebbles: [PebbleComparison], titled title: String) {
    let pebbles = pebbles.filter { !told.contains($0.name) }
    let loud = pebbles.filter { ($0.difference ?? .zero).magnitude >= noise }
    guard !loud.isEmpty else { return }
    appendHeading(title)
    for pebble in loud.prefix(Self.mostLines) {
      appendLine(Self.name(pebble), pebble.before?.duration, pebble.after?.duration)
    }
    appendRest(loud.count)
    appendNoise(pebbles.count - loud.count)
  }

  /// Appends a heading and a line for each pebble, or nothing if there are no pebbles. A line
  /// states the pebble's outcome and duration in each run that contains the pebble, followed by any
  /// new late failures of the pebble.
  private mutating func append(_ pebbles: [PebbleComparison], ended title: String) {
    guard !pebbles.isEmpty else { return }
    told.formUnion(pebbles.map(\.name))
    lines += ["", title]
    for pebble in pebbles.prefix(Self.mostLines) {
      let clauses = (lateFailures[pebble.name] ?? []).map { "afterwards \($0)" }
      let text = ([ends(of: pebble)] + clauses).joined(separator: "; ")
      lines.append("  \(Self.name(pebble)): \(text)")
    }
    appendRest(pebbles.count)
  }

  /// Returns a description of the pebble's outcome in each run that contains the pebble.
  private func ends(of pebble: PebbleComparison) -> String {
    let old = pebble.before.map { end(of: $0, comparison.before, groups.before) }
    let new = pebble.after.map { end(of: $0, comparison.after, groups.after) }
    let isInBoth = old != nil && new != nil
    return [
      old.map { isInBoth ? "\($0) before" : $0 }, new.map { isInBoth ? "\($0) after" : $0 },
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Appends the pebbles that have new late failures and have not been listed yet, together with
  /// any change of their outcome. Pebbles that newly failed or were newly blocked have already been
  /// listed, with their new late failures.
  private mutating func appendLateFailures() {
    let failures = comparison.newLateFailures.filter { !told.contains($0.pebble) }
    guard !failures.isEmpty else { return }
    let changed = Dictionary(
      comparison.changedOutcomes.map { ($0.name, ends(of: $0)) }
        + comparison.new.map { ($0.name, "only in the later run, \(ends(of: $0))") }
    ) { first, _ in first }
    lines += ["", "✗ newly went wrong afterwards"]
    for (name, clause) in failures.prefix(Self.mostLines) {
      let ends = told.insert(name).inserted ? changed[name].map { "; \($0)" } ?? "" : ""
      lines.append("  \(name.shortName(atMost: Self.widestName)): \(clause)\(ends)")
    }
    told.formUnion(failures.map(\.pebble))
    appendRest(failures.count)
  }

  private mutating func appendHeading(_ title: String) {
    let heading = ["before", "after", "change"].map(Self.column).joined()
    lines += ["", title.padded(to: width + 2) + heading]
  }

  private mutating func appendLine(
    _ name: String, _ before: Duration?, _ after: Duration?, _ remark: String = ""
  ) {
    let (old, new) = (before ?? .zero, after ?? .zero)
    let columns = [before?.brief ?? "–", after?.brief ?? "–", (new - old).signed].map(Self.column)
    let percentage = before == nil || after == nil ? nil : Self.percentage(from: old, to: new)
    lines.append(
      "  " + name.padded(to: width) + columns.joined() + (percentage.map { "  \($0)" } ?? "")
        + remark)
  }

  private static func column(_ text: String) -> String { " " + text.leftPadded(to: 10) }

  private mutating func appendRest(_ count: Int) {
    guard count > Self.mostLines else { return }
    lines.append("  … and \(count - Self.mostLines) more")
  }

  private mutating func appendNoise(_ count: Int) {
    guard count > 0 else { return }
    lines.append("  … and \(count) by less than a thousandth of the makespan")
  }

  private static func name(_ pebble: PebbleComparison) -> String {
    pebble.name.shortName(atMost: widestName)
  }

  /// Returns a description of a pebble's outcome in one of the runs: `succeeded in 2.00 ms`,
  /// `failed as locked (it is held) in 1.00 ms`, `blocked`.
  private func end(
    of pebble: RecordedPebble, _ run: RecordedRun, _ groups: [String: OutcomeGroup]
  ) -> String {
    let event = pebble.outcome.event
    let word =
      pebble.outcome.isCompleted && !pebble.cases.isEmpty
      ? pebble.cases.past(or: event) : groups[pebble.name].map(run.name) ?? event.word
    let error = pebble.outcome.error.map { " (\($0.truncated(to: Self.longestError).singleLine))" }
    return word + (error ?? "") + (pebble.ownDuration.map { " in \($0.brief)" } ?? "")
  }

  private static func change(from old: Duration, to new: Duration) -> String {
    ([(new - old).signed] + [percentage(from: old, to: new)].compactMap { $0 })
      .joined(separator: ", ")
  }

  /// Returns the change as a signed percentage, or as a factor if the change is large; `nil` if the
  /// old duration is zero, or if the change is less than 0.05 percent.
  private static func percentage(from old: Duration, to new: Duration) -> String? {
    guard old > .zero else { return nil }
    let ratio = new / old
    guard ratio < 1_000_000 else { return "over a million times" }
    let thousandths = ((ratio - 1) * 1000).rounded()
    if thousandths == 0 { return nil }
    guard thousandths < 1_000_000 else { return "\(Int(ratio.rounded())) times" }
    let whole = Int(thousandths.magnitude)
    return "\(thousandths < 0 ? "−" : "+")\(whole / 10).\(whole % 10)%"
  }
}

extension PebbleComparison {
  /// Whether the pebble is on the critical path of at most one run. If so, its times on the two
  /// critical paths cannot be compared.
  fileprivate var lacksTimesToCompare: Bool { criticalBefore == nil || criticalAfter == nil }

  /// A remark that states the pebble's duration in the run in which the pebble is not on the
  /// critical path. If the pebble is on neither path, the remark states its duration in the earlier
  /// run. The remark is empty if the pebble is on both paths, or lacks a duration in either run.
  fileprivate var offPath: String {
    guard let old = before?.ownDuration, let new = after?.ownDuration, lacksTimesToCompare else {
      return ""
    }
    return criticalBefore == nil
      ? "  off the longest chain before: \(old.brief)"
      : "  off the longest chain after: \(new.brief)"
  }
}

extension RecordedRun {
  /// The outcome groups to which the pebbles belong, keyed by the name of the pebble.
  fileprivate var groupsByName: [String: OutcomeGroup] {
    Dictionary(zip(pebbles.map(\.name), groups(skipKinds))) { first, _ in first }
  }
}

extension Duration {
  /// The duration with three digits, preceded by a sign unless the duration is zero.
  var signed: String {
    self == .zero ? "0 ns" : "\(self < .zero ? "−" : "+")\(magnitude.brief)"
  }
}
