import Pebbles

extension RunComparison: CustomStringConvertible {
  /// The table a person wants: the makespan, what moved it, what else got slower or faster, which
  /// outcomes changed, what went wrong afterwards, and what is new or gone.
  ///
  /// Each part shows its first twenty pebbles. Differences of less than a thousandth of the
  /// makespan are only counted: most of them are noise.
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
  private var lines: [String] = []

  init(_ comparison: RunComparison) {
    self.comparison = comparison
    noise = max(comparison.before.makespan, comparison.after.makespan) / 1000
    let shown = comparison.makespanMovers.prefix(Self.mostLines) + comparison.slower.prefix(20)
    let names = (shown + comparison.faster.prefix(Self.mostLines)).map { Self.name($0).count }
    width = max(names.max() ?? 0, "moved the makespan".count)
  }

  mutating func text() -> String {
    let (before, after) = (comparison.before, comparison.after)
    let change = Self.change(from: before.makespan, to: after.makespan)
    let name = after.model.name.singleLine.truncated(to: Self.widestName)
    lines = ["\(name): \(before.makespan.brief) before, \(after.makespan.brief) after (\(change))"]
    for (run, word) in [(before, "before"), (after, "after")] {
      guard let cancellation = run.cancellation else { continue }
      let clause = cancellation.reason.truncated(to: Self.longestError).singleLine
      lines.append("the run \(word) was cancelled: \(clause)")
    }
    if let lostGoal = comparison.lostGoal { lines.append("\(lostGoal); before, it was") }
    appendMovers()
    append(comparison.slower.filter(\.isNowhereCompared), titled: "slower besides")
    append(comparison.faster.filter(\.isNowhereCompared), titled: "faster besides")
    appendOutcomes()
    appendLateFailures()
    append(comparison.new, named: "new")
    append(comparison.vanished, named: "vanished")
    return lines.joined(separator: "\n")
  }

  private mutating func appendMovers() {
    let movers = comparison.makespanMovers
    let loud = movers.filter { $0.makespanShare.magnitude >= noise }
    let hasGaps = comparison.gapDifference.magnitude >= max(noise, .nanoseconds(1))
    guard !loud.isEmpty || hasGaps else { return }
    appendHeading("moved the makespan")
    for pebble in loud.prefix(Self.mostLines) {
      appendLine(Self.name(pebble), pebble.criticalBefore, pebble.criticalAfter)
    }
    appendRest(loud.count)
    if hasGaps { appendLine("between pebbles", comparison.gaps.before, comparison.gaps.after) }
    appendNoise(movers.count - loud.count)
  }

  private mutating func append(_ pebbles: [PebbleComparison], titled title: String) {
    let loud = pebbles.filter { ($0.difference ?? .zero).magnitude >= noise }
    guard !loud.isEmpty else { return }
    appendHeading(title)
    for pebble in loud.prefix(Self.mostLines) {
      appendLine(Self.name(pebble), pebble.before?.duration, pebble.after?.duration)
    }
    appendRest(loud.count)
    appendNoise(pebbles.count - loud.count)
  }

  private mutating func appendOutcomes() {
    let changed = comparison.changedOutcomes
    guard !changed.isEmpty else { return }
    lines += ["", "changed outcomes"]
    for pebble in changed.prefix(Self.mostLines) {
      guard let before = pebble.before, let after = pebble.after else { continue }
      let old = Self.word(before)
      let new = Self.text(after)
      lines.append("  \(Self.name(pebble)): \(old) before, \(new) after")
    }
    appendRest(changed.count)
  }

  private mutating func appendLateFailures() {
    let failures = comparison.newLateFailures
    guard !failures.isEmpty else { return }
    lines += ["", "went wrong afterwards, and not before"]
    for (name, clause) in failures.prefix(Self.mostLines) {
      lines.append("  \(name.singleLine.truncated(to: Self.widestName)): \(clause)")
    }
    appendRest(failures.count)
  }

  private mutating func append(_ pebbles: [PebbleComparison], named title: String) {
    guard !pebbles.isEmpty else { return }
    let names = pebbles.prefix(Self.mostLines).map(Self.name)
    let rest = pebbles.count - names.count
    let more = rest > 0 ? ["and \(rest) more"] : []
    lines += ["", "\(title): \((names + more).joined(separator: ", "))"]
  }

  private mutating func appendHeading(_ title: String) {
    let heading = ["before", "after", "change"].map(Self.column).joined()
    lines += ["", title.padded(to: width + 2) + heading]
  }

  private mutating func appendLine(_ name: String, _ before: Duration?, _ after: Duration?) {
    let (old, new) = (before ?? .zero, after ?? .zero)
    let columns = [before?.brief ?? "–", after?.brief ?? "–", (new - old).signed].map(Self.column)
    let percentage = before == nil || after == nil ? nil : Self.percentage(from: old, to: new)
    lines.append(
      "  " + name.padded(to: width) + columns.joined() + (percentage.map { "  \($0)" } ?? ""))
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
    pebble.name.singleLine.truncated(to: widestName)
  }

  private static func word(_ pebble: RecordedPebble) -> String {
    let event = pebble.outcome.event
    return pebble.cases.isEmpty ? event.word : pebble.cases.past(or: event)
  }

  private static func text(_ pebble: RecordedPebble) -> String {
    let word = word(pebble)
    guard let error = pebble.outcome.error else { return word }
    return "\(word) (\(error.truncated(to: longestError).singleLine))"
  }

  private static func change(from old: Duration, to new: Duration) -> String {
    ([(new - old).signed] + [percentage(from: old, to: new)].compactMap { $0 })
      .joined(separator: ", ")
  }

  /// The change in percent, with its sign; `nil` if it says nothing.
  private static func percentage(from old: Duration, to new: Duration) -> String? {
    guard old > .zero else { return nil }
    let ratio = new / old
    guard ratio < 1_000_000 else { return "over a million times" }
    let thousandths = ((ratio - 1) * 1000).rounded()
    guard thousandths < 1_000_000 else { return "\(Int(ratio.rounded())) times" }
    let whole = Int(thousandths.magnitude)
    return "\(thousandths < 0 ? "−" : "+")\(whole / 10).\(whole % 10)%"
  }
}

extension PebbleComparison {
  /// Whether its times do not stand side by side among those that moved the makespan.
  fileprivate var isNowhereCompared: Bool { criticalBefore == nil || criticalAfter == nil }
}

extension Duration {
  /// In three digits, with a sign.
  var signed: String {
    self == .zero ? "0 ns" : "\(self < .zero ? "−" : "+")\(magnitude.brief)"
  }
}
