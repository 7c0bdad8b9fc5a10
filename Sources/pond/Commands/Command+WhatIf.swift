import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let whatif = Command(
    syntax: Syntax(
      name: "whatif", summary: "how a run changes if pebbles end otherwise or take another time",
      operands: [.document],
      options: [
        .fail,
        .succeed,
        .disable,
        Option(
          name: "--takes", value: Option.Value(placeholder: "NAME=TIME"),
          summary: "assume that a pebble takes so long: load=50ms", isRepeated: true),
        Option(
          name: "--faster", value: Option.Value(placeholder: "NAME=FACTOR"),
          summary: "assume that a pebble is so many times as fast: load=2", isRepeated: true),
        Option(
          name: "--workers", value: Option.Value(placeholder: "N"),
          summary: "assume that only N bodies are at work at a time"),
      ],
      details: [
        "Ask about outcomes, of a pond or a run, or about times, of a run; not about both:\n"
          + "outcomes depend on how bodies end, never on times. Everything else stays as it was;\n"
          + "in a pond, all other bodies succeed, as do those that a run cancelled or did not call."
      ])
  ) { request in
    let document = try request.document()
    let arguments = request.arguments
    let changes = try request.changes(document.model)
    let isAboutOutcomes = ["--fail", "--succeed", "--disable"].contains(where: arguments.has)
    guard !changes.isEmpty else {
      guard isAboutOutcomes || document.run == nil else {
        throw arguments.fault(
          "say what to change: --fail, --succeed or --disable for outcomes; --takes, "
            + "--faster or --workers for times")
      }
      return try request.outcomes(document)
    }
    guard !isAboutOutcomes else {
      throw arguments.fault("give options for outcomes or for times, not for both")
    }
    guard let run = document.run else {
      throw Problem(
        "\(Arguments.shown(arguments.operands[0])) holds no run, only the definition of a pond, "
          + "which has no times to change")
    }
    return Answer(try run.whatIf(changes))
  }
}

extension Request {
  /// Returns the changes that `--takes`, `--faster` and `--workers` describe.
  fileprivate func changes(_ model: PondModel) throws -> [WhatIf.Change] {
    var changes: [WhatIf.Change] = []
    var given: [String: String] = [:]
    for text in arguments.values("--takes") {
      let (name, time) = try arguments.assignment(text, of: "--takes")
      try assume(text, as: "--takes", of: name, &given)
      let duration = try arguments.duration(time, of: "--takes")
      changes.append(.pebble(try pebble(name, of: model), takes: duration))
    }
    for text in arguments.values("--faster") {
      let (name, factor) = try arguments.assignment(text, of: "--faster")
      try assume(text, as: "--faster", of: name, &given)
      let speedUp = try arguments.factor(factor, of: "--faster")
      changes.append(.pebble(try pebble(name, of: model), speedUp: speedUp))
    }
    if let workers = try arguments.number("--workers") { changes.append(.workers(workers)) }
    return changes
  }

  /// Returns the answer that states how all pebbles would end under the assumptions.
  fileprivate func outcomes(_ document: PondDocument) throws -> Answer {
    let ends = try assumptions(document.model)
    // Only one run is simulated, which needs no diagrams.
    let scenarios = document.model.scenarios(limit: 1)
    let ending = try assuming {
      try scenarios.ending(
        given: document.run.map(ends.assumptions(besides:)) ?? ends.assumptions(error: ""))
    }
    let remarks = [document.run.flatMap(ends.remark(besides:))].compactMap(\.self)
    return Answer(
      ending, document.run, remarks: ending.limitations.map(\.description) + remarks)
  }
}

extension RecordedRun {
  /// Returns the name of a pebble's outcome group, followed by the cases of the pebble:
  /// `failed as locked`.
  fileprivate func past(_ position: Int, _ group: OutcomeGroup) -> String {
    ([name(of: group)] + pebbles[position].cases.map(\.caption)).joined(separator: " ")
  }
}

extension ScenarioOutcome {
  /// The outcome in one word. Recorded outcomes use the same words.
  fileprivate var word: String {
    self == .succeeded ? "succeeded" : self == .failed ? "failed" : "skipped"
  }
}

extension Answer {
  /// Creates the answer that states how the changes affect the makespan of a run.
  fileprivate init(_ whatIf: WhatIf) {
    var printout = Printout()
    printout.line(whatIf.description)
    printout.line(
      "\(whatIf.baseline.brief) simulated as it was, \(whatIf.makespan.brief) with this", .faint)
    self.init(printout) {
      .object([
        "baseline": .time(whatIf.baseline), "makespan": .time(whatIf.makespan),
        "difference": .time(whatIf.difference),
        "bottleneck": .optional(whatIf.bottleneck?.name, JSON.text),
        "ignored": .texts(whatIf.ignored),
      ])
    }
  }

  /// Creates the answer that states how pebbles would end under the assumptions. If there is a run,
  /// the printed answer lists only the pebbles that would not end as they did in the run. The
  /// remarks state the limitations of the answer.
  fileprivate init(_ ending: Ending, _ run: RecordedRun?, remarks: [String]) {
    let (names, clauses) = (ending.model.names, ending.clauses)
    var printout = Printout()
    if let run {
      let changed = names.indices.filter {
        run.pebbles[$0].outcome.isCompleted != ending.outcomes[$0].isCompleted
          || run.pebbles[$0].outcome.isFailed != (ending.outcomes[$0] == .failed)
          || run.pebbles[$0].cases != ending.cases(at: $0)
      }
      printout.line(
        changed.isEmpty
          ? "every pebble would end as it did"
          : "\(counted(changed.count, "pebble")) would end otherwise", .heading)
      let width = changed.map { names[$0].inColumn.columns }.max() ?? 0
      let (before, groups) = (run.groups(run.skipKinds), ending.groups)
      for group in OutcomeGroup.allCases {
        for position in changed where groups[position] == group {
          printout.line(
            "  \(group.sign) \(names[position].inColumn.padded(toColumns: width))  "
              + "\(run.past(position, before[position])) before, "
              + "now \(clauses[position])")
        }
      }
      for remark in remarks { printout.line("(\(remark))", .faint) }
    } else {
      printout.text(ending)
    }
    if let isGoalReached = ending.isGoalReached {
      printout.line(
        isGoalReached ? "the goal would be reached" : "the goal would not be reached",
        isGoalReached ? .good : .bad)
    }
    self.init(printout) {
      .object([
        "pebbles": .list(
          names.indices.map { position in
            .object([
              "name": .text(names[position]),
              "before": .optional(run) { .text($0.word(position)) },
              "outcome": .text(ending.outcomes[position].word),
              "explanation": .text(clauses[position]),
            ])
          }),
        "goalReached": .optional(ending.isGoalReached, JSON.truth),
        "limitations": .texts(remarks),
      ])
    }
  }
}
