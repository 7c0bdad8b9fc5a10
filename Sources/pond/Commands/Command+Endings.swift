import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let endings = Command(
    syntax: Syntax(
      name: "endings", summary: "all the ways a pond can end, and their number",
      operands: [.document],
      options: [
        .most(20, "endings, or sets of failures"),
        Option(
          name: "--where", value: Option.Value(placeholder: "CONDITION"),
          summary: "count the endings with this condition true, and show failures that lead there"),
        .only,
      ],
      details: [
        "A CONDITION is written as conditions print: 'home.skipped && !ping.failed'.",
        "A failure is handled if a pebble runs that reads it, or reads a skip that it caused.\n"
          + "pond lint --also unhandledFailure shows when a failure is not handled.",
      ])
  ) { request in
    let scenarios = try request.model(of: request.document()).scenarios()
    let most = try request.arguments.number("--most") ?? 20
    guard let text = request.arguments.value("--where") else {
      let list = EndingList(scenarios: scenarios, most: most)
      return Answer(list.printout) { list.json }
    }
    let condition = try request.condition(text, of: scenarios.model)
    let count = try scenarios.largeCount(where: condition)
    let failures = try scenarios.smallestFailures(leadingTo: condition, atMost: most)
    var printout = Printout()
    printout.line("true in \(try scenarios.share(count, where: condition))", .heading)
    if !failures.sets.isEmpty { printout.heading("the fewest failures that lead there") }
    printout.text(failures)
    for limitation in scenarios.limitations { printout.line("(\(limitation))", .faint) }
    return Answer(printout) {
      .object([
        "endings": .count(scenarios.largeCount), "endingsAbout": .about(scenarios.largeCount),
        "where": .count(count), "share": .share(count, of: scenarios.largeCount),
        "smallestFailures": .list(failures.sets.map(JSON.texts)),
        "isComplete": .truth(failures.isComplete),
        "limitations": .texts(scenarios.limitations.map(\.description)),
      ])
    }
  }
}

extension Scenarios {
  /// Returns a phrase such as `88 of 368 endings` that tells in how many endings a condition is
  /// true.
  fileprivate func share(_ count: LargeCount?, where condition: Condition) throws -> String {
    guard let all = largeCount else { return "an unknown number of endings" }
    guard let count else { return "an unknown number of \(all.counted("ending"))" }
    // Two inexact numbers may look equal without being equal.
    if all.exact == nil, count == all, try occurrence(of: condition) == .always {
      return "each of \(all.counted("ending"))"
    }
    return count.text(of: all, "ending")
  }
}

/// The total number of endings of a pond, and the first few endings.
private struct EndingList {
  let scenarios: Scenarios
  let most: Int

  var printout: Printout {
    var printout = Printout()
    let count = scenarios.largeCount
    let number = count?.counted("ending") ?? "too many endings to count"
    printout.line("\(scenarios.model.name.truncated(to: 60)): \(number)", .heading)
    let lists = [
      ("always run", scenarios.alwaysRun), ("never run", scenarios.neverRun),
      ("unknown", scenarios.unknown),
      ("may fail without a pebble that handles it", scenarios.unhandledFailures ?? []),
    ]
    if let goal = scenarios.goal { printout.line("the goal is \(goal)") }
    for (title, names) in lists where !names.isEmpty {
      let shown = names.map { $0.shortName }
      printout.line("\(title): \(Self.list(shown))")
    }
    printout.heading("ending by ending: what fails, what is blocked, and what is not needed")
    for ending in scenarios.endings.prefix(most) {
      printout.line(Self.ends(ending))
    }
    if let count, count.saturated > most {
      let rest = count.exact.map { LargeCount($0 - UInt128(most)) } ?? count
      printout.line("  … and \(rest) more", .faint)
    }
    for limitation in scenarios.limitations { printout.line("(\(limitation))", .faint) }
    return printout
  }

  /// Returns the line that describes an ending. It lists the pebbles with each outcome after the
  /// sign for that outcome. Pebbles that succeeded are listed only if they have cases.
  private static func ends(_ ending: Ending) -> [StyledText] {
    let names = ending.model.names
    let values = names.indices.filter {
      ending.outcomes[$0] == .succeeded && ending.caseCaption(at: $0) != nil
    }
    let failed = names.indices.filter { ending.outcomes[$0] == .failed }
    let kinds = ending.skipKinds
    let shown = { (positions: [Int]) in
      list(
        positions.map { position in
          [names[position].shortName, ending.caseCaption(at: position)]
            .compactMap(\.self).joined(separator: " ")
        })
    }
    // Nothing is wrong if no pebble failed or was blocked, and the goal was not missed.
    let isWell = failed.isEmpty && !kinds.contains(.blocked) && ending.isGoalReached != false
    let start = isWell ? "✓ nothing fails" : failed.isEmpty ? "nothing fails" : "✗ \(shown(failed))"
    var parts = [StyledText("  \(start)")]
    for group in OutcomeGroup.allCases {
      if group == .succeeded, !values.isEmpty {
        parts.append(StyledText("   \(group.sign) \(shown(values))"))
      }
      guard let kind = group.skipKind else { continue }
      let skipped = names.indices.filter { kinds[$0] == kind }
      guard !skipped.isEmpty else { continue }
      let word = kind == .blocked || kind == .notNeeded ? "" : "\(kind) "
      parts.append(
        StyledText(
          "   \(kind.sign) \(word)\(shown(skipped))", kind == .blocked ? .plain : .faint))
    }
    if ending.isGoalReached == false { parts.append(StyledText("   goal missed", .caution)) }
    return parts
  }

  var json: JSON {
    .object([
      "endings": .count(scenarios.largeCount), "endingsAbout": .about(scenarios.largeCount),
      "goalReached": .count(scenarios.goal?.largeReached),
      "goalShare": .share(scenarios.goal?.largeReached, of: scenarios.largeCount),
      "alwaysRun": .texts(scenarios.alwaysRun), "neverRun": .texts(scenarios.neverRun),
      "sometimesRun": .texts(scenarios.sometimesRun),
      "unknown": .texts(scenarios.unknown),
      "unhandledFailures": .optional(scenarios.unhandledFailures, JSON.texts),
      "limitations": .texts(scenarios.limitations.map(\.description)),
    ])
  }

  private static func list(_ names: [String]) -> String {
    names.listed(atMost: 20) { $0 }.joined(separator: ", ")
  }
}
