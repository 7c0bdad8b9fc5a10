import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let why = Command(
    syntax: Syntax(
      name: "why", summary: "why a pebble ended as it did, or would end, down to the root cause",
      operands: [
        .document,
        Operand(
          value: Option.Value(placeholder: "PEBBLE"), meaning: "give the name of a pebble"),
      ],
      options: [
        .fail,
        .succeed,
        .disable,
        Option(name: "--all", summary: "show all lines, not only ten"),
      ],
      details: [
        "Shows at most ten lines, the nearest pebbles first, unless --all asks for all.",
        "For a run it shows what decided the pebble. For a pond, or with --fail, --succeed or\n"
          + "--disable, it shows what would decide it: all other bodies are assumed to succeed,\n"
          + "and no other cases to hold.",
      ])
  ) { request in
    let document = try request.document()
    let pebble = try request.pebble(request.arguments.operands[1], of: document.model)
    let ends = try request.assumptions(document.model)
    if ends.isEmpty, let state = document.run?.stateUnderWay(of: pebble) {
      var printout = Printout()
      printout.line("\(pebble.description.inColumn) has not ended: it \(state)")
      return Answer(printout) { .object(["state": .text(state)]) }
    }
    let why =
      if let run = document.run, ends.isEmpty {
        try run.why(of: document.model.position(of: pebble) ?? 0, showingAll: true)
      } else {
        try request.assuming {
          try document.model.why(
            pebble, given: ends.assumptions(error: "assumed"), showingAll: true)
        }
      }
    var printout = Printout()
    // One of the ten lines says that there are more.
    let most = request.arguments.has("--all") ? Int.max : 10
    let isWhole = why.lines(atMost: most).omitted == 0
    let (lines, omitted) = why.lines(atMost: isWhole ? most : most - 1)
    for line in lines { printout.line(line) }
    if omitted > 0 {
      printout.line("… \(counted(omitted, "line")) left out; --all shows them", .faint)
    }
    return Answer(printout) { why.json }
  }

  static let blame = Command(
    syntax: Syntax(
      name: "blame", summary: "how long each pebble of a run took, longest first",
      operands: [.run], options: [.most(100, "pebbles")])
  ) { request in
    let entries = try request.run().timing().blame.entries
    let shown = entries.prefix(try request.arguments.number("--most") ?? 100)
    var printout = Printout()
    for entry in shown {
      printout.line(
        StyledText(entry.duration.brief.leftPadded(to: 9) + "  "),
        StyledText(entry.name.inColumn, entry.isOnCriticalPath ? .heading : .plain),
        StyledText("  (\(entry.remark))", .faint))
    }
    if shown.isEmpty { printout.line("nothing ran") }
    if entries.count > shown.count { printout.line("… and \(entries.count - shown.count) more") }
    return Answer(printout) { .object(["pebbles": .list(entries.map(\.json))]) }
  }

  static let chain = Command(
    syntax: Syntax(
      name: "chain", summary: "the longest chain of a run: the pebbles that decided its length",
      operands: [.run],
      options: [
        Option(
          name: "--to", value: Option.Value(placeholder: "PEBBLE"),
          summary: "show the chain that led to this pebble, not to the end of the run")
      ])
  ) { request in
    let run = try request.run()
    let pebble = try request.arguments.value("--to").map { try request.pebble($0, of: run.model) }
    let path = try pebble.map { try run.criticalPath(to: $0) } ?? run.criticalPath()
    var printout = Printout()
    printout.text(path)
    return Answer(printout) { path.json }
  }
}

extension RecordedRun {
  /// Returns the state of a pebble that had not ended when the run was read; `nil` for any other
  /// pebble. The state is worded to follow "it" in a sentence.
  fileprivate func stateUnderWay(of pebble: PebbleID) -> String? {
    model.position(of: pebble).flatMap { unended?[$0] }
  }
}

extension PebbleTiming {
  fileprivate var json: JSON {
    .object([
      "name": .text(name), "took": .time(duration), "waitForLimit": .time(waitForLimit),
      "waitForThread": .time(waitForRunner), "slack": .time(slack),
      "isOnChain": .truth(isOnCriticalPath),
    ])
  }
}

extension CriticalPath {
  fileprivate var json: JSON {
    .object([
      "duration": .time(duration), "makespan": .time(makespan),
      "steps": .list(
        steps.map { step in
          .object([
            "name": .text(step.name), "waitedFor": .text(step.waitedFor.rawValue),
            "delay": .time(step.delay), "took": .time(step.duration),
            "finished": .time(step.finished), "skipped": .optional(step.skipName, JSON.text),
          ])
        }),
    ])
  }
}

extension Why {
  fileprivate var json: JSON {
    .object([
      "sentence": .text(sentence),
      "nodes": .list(
        nodes.map { node in
          .object([
            "name": .text(node.name), "depth": .number(node.depth),
            "outcome": .text(node.outcome.event.word),
            "error": .optional(node.outcome.error, JSON.text),
            "label": .optional(node.label, JSON.text),
          ])
        }),
      "elided": .number(elidedPebbles),
      "lateFailures": .texts(lateFailures),
      "limitations": .texts(limitations.map(\.description)),
    ])
  }
}
