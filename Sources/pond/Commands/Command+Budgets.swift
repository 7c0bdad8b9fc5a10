import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let compare = Command(
    syntax: Syntax(
      name: "compare", summary: "two runs side by side: pebbles that got slower or ended otherwise",
      operands: [
        Operand(
          value: Option.Value(placeholder: "BEFORE", kind: .file), meaning: "give the earlier run"),
        Operand(
          value: Option.Value(placeholder: "AFTER", kind: .file), meaning: "give the later run"),
      ],
      options: [
        Option(
          name: "--slower", value: Option.Value(placeholder: "FACTOR"),
          summary: "how many times as long the later run may take; 1.1 if not given"),
        .differentPonds,
      ],
      details: [
        "Pebbles are the same if they have the same name. Runs of ponds with different names are\n"
          + "refused, unless --different-ponds is given.",
        "The exit status is 1 if the later run took longer than allowed, or if something newly\n"
          + "went wrong in it: a pebble failed or was skipped that had succeeded, the goal was\n"
          + "missed, a service ended unasked, or something could not be torn down.",
      ],
      formats: Format.allCases)
  ) { request in
    let factor = try request.arguments.value("--slower").map {
      try request.arguments.factor($0, of: "--slower")
    }
    let (before, after) = (try request.run(0), try request.run(1))
    try request.checkPonds(of: before, after)
    let comparison = try after.compared(to: before)
    let regressions = comparison.regressions(slowerThan: factor ?? 1.1)
    var printout = Printout()
    printout.text(comparison) { line in
      line.hasPrefix("✗ ") ? .bad : line.hasPrefix("⊘ ") ? .caution : .plain
    }
    append(comparison.worse(slowerThan: factor ?? 1.1), "worse", to: &printout)
    return Answer(
      hasFindings: !regressions.isEmpty, printout,
      annotations: regressions.map { Annotation(level: .error, title: "regression", message: $0) }
    ) {
      .object([
        "before": .time(comparison.before.makespan), "after": .time(comparison.after.makespan),
        "regressions": .texts(regressions),
        "pebbles": .list(comparison.pebbleValues),
      ])
    }
  }

  static let check = Command(
    syntax: Syntax(
      name: "check", summary: "whether a run ended well and kept to a budget",
      operands: [.run],
      options: [
        Option(
          name: "--makespan", value: Option.Value(placeholder: "LIMIT"),
          summary: "how long the run may take", isRepeated: true),
        Option(
          name: "--pebble", value: Option.Value(placeholder: "NAME=LIMIT"),
          summary: "how long a pebble may take", isRepeated: true),
        Option(
          name: "--baseline", value: Option.Value(placeholder: "RUN", kind: .file),
          summary: "the earlier run that limits such as 1.2x refer to"),
        .differentPonds,
        Option(
          name: "--allow-failures", summary: "check only the budget, not how the run ended"),
      ],
      details: [
        "A LIMIT is a time, 800ms or 1.5s, or how many times as long as in the baseline, 1.2x.",
        "A run ended well if it had ended when it was read, its failures were handled, it\n"
          + "reached its goal, no service ended unasked, all was torn down, its journal could be\n"
          + "written, no output was outside its declared values, and no failure or deadline\n"
          + "cancelled it. The exit status is 1 if the run did not end well, or exceeded the\n"
          + "budget.",
      ],
      formats: Format.allCases)
  ) { request in
    let run = try request.run()
    let looksAtEnd = !request.arguments.has("--allow-failures")
    var problems = looksAtEnd ? try run.problems : []
    let handled = looksAtEnd ? try run.handledFailures.map(run.sentence) : []
    let budget = Budget(try request.lines(run))
    do throws(BudgetError) {
      try budget.check(run)
    } catch {
      problems += error.violations
    }
    var printout = Printout()
    append(problems, "not as it should be", to: &printout)
    if problems.isEmpty { printout.line(run.goodEnd(looksAtEnd, handled.count), .good) }
    if let reason = run.orderlyEnd, looksAtEnd { printout.line("  \(reason)", .caution) }
    if !problems.isEmpty, !handled.isEmpty { printout.heading("failed, and was handled", .faint) }
    append(handled, to: &printout, .plain)
    let notices = handled.map { Annotation(level: .notice, title: "check", message: $0) }
    return Answer(
      hasFindings: !problems.isEmpty, printout,
      annotations: problems.map { Annotation(level: .error, title: "check", message: $0) } + notices
    ) {
      .object([
        "makespan": .time(run.makespan), "problems": .texts(problems), "handled": .texts(handled),
      ])
    }
  }

  private static func append(_ problems: [String], _ title: String, to printout: inout Printout) {
    guard !problems.isEmpty else { return }
    printout.heading(title, .bad)
    append(problems, to: &printout, .bad)
  }

  private static func append(
    _ sentences: [String], to printout: inout Printout, _ style: TextStyle
  ) {
    for sentence in sentences.prefix(100) { printout.line("  ✗ \(sentence)", style) }
    if sentences.count > 100 { printout.line("  … and \(sentences.count - 100) more", .faint) }
  }
}

extension RecordedRun {
  /// Returns the line that is printed for a run without problems.
  fileprivate func goodEnd(_ looksAtEnd: Bool, _ handledCount: Int) -> String {
    guard looksAtEnd else { return "✓ kept to its budget, in \(makespan.brief)" }
    let failures = handledCount == 1 ? "1 failure that was" : "\(handledCount) failures that were"
    return handledCount == 0
      ? "✓ ended well, in \(makespan.brief)"
      : "✓ ended well, in \(makespan.brief), with \(failures) handled"
  }

  /// The line that is printed if the run has ended and was cancelled in an orderly way:
  /// `cancelled: asked to end`. Such a cancellation is not a problem. The line is `nil` for all
  /// other runs.
  fileprivate var orderlyEnd: String? {
    guard let cancellation, cancellation.isOrderly, unended == nil else { return nil }
    let reason = cancellation.reason.truncated(to: 500)
    return reason.isEmpty ? "cancelled" : "cancelled: \(reason)"
  }

  /// Returns a sentence about a handled failure, with the error and the handlers:
  /// `ping failed: no route; handled by offline`.
  fileprivate func sentence(_ failure: HandledFailure) -> String {
    let pebble = pebbles[failure.position]
    let error = pebble.outcome.error.map { $0.truncated(to: 200) } ?? ""
    let names = failure.handlers.listed { pebbles[$0].name.shortName }
    return "\(pebble.name.shortName) \(pebble.cases.past(or: .failed))"
      + (error.isEmpty ? "" : ": \(error)") + "; handled by \(names.joined(separator: ", "))"
  }
}

extension Option {
  fileprivate static let differentPonds = Option(
    name: "--different-ponds", summary: "compare runs even if their ponds have different names")
}

extension Request {
  /// Throws an error if two runs belong to ponds with different names, unless `--different-ponds`
  /// is given. This keeps users from comparing runs of different ponds by mistake.
  fileprivate func checkPonds(of before: RecordedRun, _ after: RecordedRun) throws(Problem) {
    let (old, new) = (before.model.name, after.model.name)
    guard old != new, !arguments.has("--different-ponds") else { return }
    throw Problem(
      "these are runs of two ponds, \(old.shortName) and \(new.shortName); "
        + "give --different-ponds if that is meant")
  }

  /// Returns the lines of the budget that the options describe.
  fileprivate func lines(_ run: RecordedRun) throws -> [Budget.Line] {
    let model = run.model
    var baseline: RecordedRun?
    if let path = arguments.value("--baseline") {
      let earlier = try self.run(named: path)
      try checkPonds(of: earlier, run)
      baseline = earlier
    }
    func known() throws -> RecordedRun {
      guard let baseline else {
        throw arguments.fault("a limit in times, such as 1.2x, needs --baseline RUN")
      }
      return baseline
    }
    var lines: [Budget.Line] = []
    for text in arguments.values("--makespan") {
      switch try arguments.limit(text, of: "--makespan") {
      case .duration(let limit): lines.append(.makespan(atMost: limit))
      case .factor(let factor): lines.append(.makespan(atMost: factor, timesThatOf: try known()))
      }
    }
    for text in arguments.values("--pebble") {
      let (name, value) = try arguments.assignment(text, of: "--pebble")
      let pebble = try pebble(name, of: model)
      switch try arguments.limit(value, of: "--pebble") {
      case .duration(let limit): lines.append(.pebble(pebble, atMost: limit))
      case .factor(let factor):
        lines.append(.pebble(pebble, atMost: factor, timesThatOf: try known()))
      }
    }
    return lines
  }
}

extension RunComparison {
  fileprivate var pebbleValues: [JSON] {
    let before = before.wordsByName
    let after = after.wordsByName
    return pebbles.map { pebble in
      .object([
        "name": .text(pebble.name),
        "before": .optional(before[pebble.name], JSON.text),
        "after": .optional(after[pebble.name], JSON.text),
        "difference": .optional(pebble.difference, JSON.time),
        "makespanShare": .time(pebble.makespanShare),
      ])
    }
  }
}

extension RecordedRun {
  fileprivate var wordsByName: [String: String] {
    Dictionary(uniqueKeysWithValues: pebbles.indices.map { (pebbles[$0].name, word($0)) })
  }
}
