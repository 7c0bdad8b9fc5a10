import Pebbles
import PebblesAnalysis
import PebblesPictures

/// The result of checking a law, with the number of endings that break it.
struct LawTrial {
  let result: LawResult
  private let endings: LargeCount?

  /// The number of endings that break the law; `nil` if the number is unknown.
  private let brokenCount: LargeCount?

  /// The endings, counted by the number of true alternatives. The element at index *k* is the
  /// number of endings in which exactly *k* of the law's alternatives are true. The array is empty
  /// if these numbers are unknown, or if the law has no alternatives or more than `mostCounted`.
  private let tally: [LargeCount]

  /// The maximum number of alternatives for which endings are counted. The time that counting takes
  /// grows with the square of the number of alternatives.
  static let mostCounted = 100

  /// Whether the given run kept the law; `nil` if no run was given, or if the answer is unknown.
  private let isKeptByRun: Bool?

  init(_ law: Law, _ scenarios: Scenarios, _ run: RecordedRun?) throws {
    result = try scenarios.check(law)
    endings = scenarios.largeCount
    brokenCount = try scenarios.largeCount(where: !law.condition)
    tally =
      1...Self.mostCounted ~= law.alternatives.count
      ? try scenarios.largeTally(of: law.alternatives) ?? [] : []
    isKeptByRun = try run.flatMap {
      try Replay($0).storage.value(of: law.condition, saidBy: law.label)
    }
  }

  /// A clause that counts the endings by the number of true alternatives: `88 of 368 endings have
  /// none of them, 232 have one, 48 have two`. The clause is `nil` if the number of endings is
  /// unknown.
  ///
  /// If `tally` is empty, the clause counts the endings that break the law: `broken in 3 of 8
  /// endings`. In this case, the clause is also `nil` if no ending breaks the law, or if the number
  /// of endings that break it is unknown.
  var counts: String? {
    guard let endings else { return nil }
    if tally.isEmpty {
      guard let brokenCount, brokenCount.exact != 0 else { return nil }
      return "broken in \(brokenCount.text(of: endings, "ending"))"
    }
    let words = ["none of them", "one", "two", "three", "four"]
    var parts: [String] = []
    for (number, count) in tally.enumerated() where count.exact != 0 {
      let what = words.indices.contains(number) ? words[number] : "\(number)"
      let verb = count.exact == 1 ? "has" : "have"
      let share = endings.exact == nil ? " (\(count.percentage(of: endings)))" : ""
      let subject =
        parts.isEmpty ? count.text(of: endings, "ending") : "\(count)\(share)"
      parts.append("\(subject) \(verb) \(what)")
    }
    return parts.joined(separator: ", ")
  }

  func append(to printout: inout Printout) {
    if !printout.isEmpty { printout.line("") }
    let lines = result.description.split(separator: "\n")
    let style: TextStyle = result.isKept ? .good : result.counterexample == nil ? .caution : .bad
    let sign = result.isKept ? "✓" : result.counterexample == nil ? "?" : "✗"
    printout.line(StyledText("\(sign) "), StyledText(lines.first.map(String.init) ?? "", style))
    if let counts { printout.line("  \(counts)", .heading) }
    if let isKeptByRun { printout.line("  this run \(isKeptByRun ? "kept" : "broke") it") }
    if result.counterexample != nil { printout.line("  the smallest ending that breaks it:") }
    for line in lines.dropFirst() { printout.line("  \(line)", .faint) }
  }

  var annotation: Annotation? {
    guard !result.isKept else { return nil }
    let failed = (result.counterexample?.failed ?? []).map(\.shortName)
    let cause = failed.isEmpty ? "" : "\nbroken if these fail: \(failed.joined(separator: ", "))"
    return Annotation(
      level: result.counterexample == nil ? .warning : .error,
      title: result.counterexample == nil ? "law not known to be kept" : "broken law",
      message: result.law.shortLabel + (counts.map { "\n\($0)" } ?? "") + cause)
  }

  var json: JSON {
    .object([
      "law": .text(result.law.label),
      "verdict": .text(
        result.isKept ? "kept" : result.counterexample == nil ? "unknown" : "broken"),
      "brokenIn": .count(brokenCount), "brokenShare": .share(brokenCount, of: endings),
      "tally": .list(tally.map(JSON.count)),
      "tallyShares": .list(tally.map { .share($0, of: endings) }),
      "failing": .optional(result.counterexample?.failed, JSON.texts),
      "ran": .optional(result.counterexample?.ran, JSON.texts),
      "keptByRun": .optional(isKeptByRun, JSON.truth),
      "limitations": .texts(result.limitations.map(\.description)),
    ])
  }
}
