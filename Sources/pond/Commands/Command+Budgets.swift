import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let compare = Command(
    syntax: Syntax(
      name: "compare", summary: "two runs side by side: what got slower, and what ended otherwise",
      operands: [
        Operand(
          value: Option.Value(placeholder: "BEFORE", kind: .file), meaning: "give the earlier run"),
        Operand(
          value: Option.Value(placeholder: "AFTER", kind: .file), meaning: "give the later run"),
      ],
      options: [
        Option(
          name: "--slower", value: Option.Value(placeholder: "FACTOR"),
          summary: "how many times as long the later run may take; 1.1 if not given")
      ],
      details: [
        "The exit status is 1 if the later run took longer than it may, or if a pebble failed in\n"
          + "it, or was skipped, that succeeded before, or if it missed its goal, a service ended\n"
          + "unasked, or something could not be torn down, and that had not been so before."
      ],
      formats: Format.allCases)
  ) { request in
    let factor = try request.arguments.value("--slower").map {
      try request.arguments.factor($0, of: "--slower")
    }
    let comparison = try request.run(1).compared(to: request.run(0))
    let regressions = comparison.regressions(slowerThan: factor ?? 1.1)
    var printout = Printout()
    printout.text(comparison)
    append(regressions, "worse", to: &printout)
    return Answer(
      isFound: !regressions.isEmpty, printout,
      annotations: regressions.map { Annotation(level: .error, title: "regression", message: $0) }
    ) {
      .object([
        "before": .time(comparison.before.makespan), "after": .time(comparison.after.makespan),
        "regressions": .texts(regressions), "pebbles": .list(comparison.pebbles.map(\.json)),
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
          summary: "the run that limits such as 1.2x are times of"),
        Option(
          name: "--allow-failures", summary: "only the budget is looked at, not how the run ended"),
      ],
      details: [
        "A LIMIT is a time, 800ms or 1.5s, or how many times as long as in the baseline, 1.2x.",
        "A run ended well if its failures were handled, it reached its goal, no service ended\n"
          + "unasked, all was torn down, and no failure or deadline cancelled it. The exit status\n"
          + "is 1 if it did not, or did not keep to the budget.",
      ],
      formats: Format.allCases)
  ) { request in
    let run = try request.run()
    var problems: [String] = []
    if !request.arguments.has("--allow-failures") { problems += try run.problems }
    let budget = Budget(try request.lines(run.model))
    do throws(BudgetError) {
      try budget.check(run)
    } catch {
      problems += error.violations
    }
    var printout = Printout()
    append(problems, "not as it should be", to: &printout)
    if problems.isEmpty { printout.line("✓ all is well, in \(run.makespan.brief)", .good) }
    return Answer(
      isFound: !problems.isEmpty, printout,
      annotations: problems.map { Annotation(level: .error, title: "check", message: $0) }
    ) { .object(["makespan": .time(run.makespan), "problems": .texts(problems)]) }
  }

  private static func append(_ problems: [String], _ title: String, to printout: inout Printout) {
    guard !problems.isEmpty else { return }
    printout.heading(title, .bad)
    for problem in problems.prefix(100) { printout.line("  ✗ \(problem)", .bad) }
    if problems.count > 100 { printout.line("  … and \(problems.count - 100) more", .faint) }
  }
}

extension Request {
  /// The budget that the options are.
  fileprivate func lines(_ model: PondModel) throws -> [Budget.Line] {
    var baseline: RecordedRun?
    if let path = arguments.value("--baseline") { baseline = try run(named: path) }
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

extension String {
  fileprivate var shortName: String { truncated(to: 60).swiftName }
}

extension RunComparison {
  /// What is worse in the later run, a sentence each.
  fileprivate func regressions(slowerThan factor: Double) -> [String] {
    var sentences: [String] = []
    if after.makespan / before.makespan > factor
      || before.makespan == .zero && after.makespan > .zero
    {
      sentences.append(
        "the run took \(after.makespan.brief), more than \(factor) times the "
          + "\(before.makespan.brief) before")
    }
    for pebble in changedOutcomes where pebble.before?.outcome.isSucceeded == true {
      guard let outcome = pebble.after?.outcome, !outcome.isSucceeded else { continue }
      let end = outcome.isFailed ? "failed" : "was skipped"
      sentences.append("\(pebble.name.shortName) succeeded before and \(end)")
    }
    if let lostGoal { sentences.append(lostGoal) }
    sentences += newLateFailures.map { "\($0.pebble.shortName): \($0.clause)" }
    return sentences
  }
}

extension PebbleComparison {
  fileprivate var json: JSON {
    .object([
      "name": .text(name),
      "before": .optional(before?.outcome) { .text($0.word) },
      "after": .optional(after?.outcome) { .text($0.word) },
      "difference": .optional(difference, JSON.time),
      "makespanShare": .time(makespanShare),
    ])
  }
}
