import Pebbles
import PebblesAnalysis

extension Command {
  static let laws = Command(
    syntax: Syntax(
      name: "laws", summary: "whether laws hold in every way a pond can end",
      operands: [
        .document,
        Operand(value: Option.Value(placeholder: "LAW"), meaning: "give a law", count: .any),
      ],
      options: [
        Option(
          name: "--end", value: Option.Value(placeholder: "NAME"),
          summary: "a pebble that can be the end of a run; exactly one of these should run; "
            + "may have * for any letters",
          isRepeated: true),
        .only,
      ],
      details: [
        "A LAW is written as laws print, around conditions as they print:\n"
          + "  always C, or only C          never C\n"
          + "  exactly one of C, C, …       at most one of C, C, …\n"
          + "  C implies C                  eventually C whenever C\n"
          + "where C is a condition such as 'home.completed && !\"log in\".failed'.",
        "Without a LAW, the laws of a sketch are checked. If it has none, pond shows how often\n"
          + "the goal is reached, and the failures with which it is missed. Without a goal, it\n"
          + "shows how often none, one or more of the ends run: the pebbles that no other waits\n"
          + "for. In both cases no law is broken. An end that reads another one whose name ends\n"
          + "alike, as otidLogin reads userLogin, counts as a step, and is listed apart.",
        "The exit status is 1 if a law is broken, or if it is not known whether it is kept.",
      ],
      formats: Format.allCases)
  ) { request in
    let document = try request.document()
    let texts = request.arguments.operands.dropFirst()
    let model = try request.model(of: document)
    // A run of the whole pond cannot be checked against laws about some of its pebbles, and a run
    // that goes on may still keep a law, or break it.
    let isWhole = model.count == document.model.count && document.run?.unended == nil
    let run = isWhole ? document.run : nil
    var laws = try texts.map { try request.law($0, of: model) }
    let patterns = request.arguments.values("--end")
    if !patterns.isEmpty { laws.append(try model.oneEnd(model.ends(patterns))) }
    if laws.isEmpty { laws = document.laws.filter(model.hasAllPebbles(of:)) }
    let scenarios = model.scenarios()
    if laws.isEmpty, let goal = scenarios.goal { return Answer(goal) }
    if laws.isEmpty {
      guard let count = try EndCount(scenarios, run) else {
        throw Problem(
          "\(Arguments.shown(request.arguments.operands[0])) has no ends: pebbles that wait for "
            + "others, and that no other waits for; name some with --end, or give a law")
      }
      return Answer(count.printout) { count.json }
    }
    let trials = try laws.map { try LawTrial($0, scenarios, run) }
    var printout = Printout()
    for trial in trials { trial.append(to: &printout) }
    return Answer(
      hasFindings: trials.contains { !$0.result.isKept }, printout,
      annotations: trials.compactMap(\.annotation)
    ) {
      .object([
        "endings": .count(scenarios.largeCount), "endingsAbout": .about(scenarios.largeCount),
        "laws": .list(trials.map(\.json)),
      ])
    }
  }
}

extension Request {
  fileprivate func law(_ text: String, of model: PondModel) throws(Problem) -> Law {
    do throws(TextError) {
      return try model.law(text)
    } catch {
      throw Problem("the law \(text.shortLiteral) is not understood: \(error)")
    }
  }
}

extension PondModel {
  /// Returns whether this model contains all pebbles of a law. If not, the law is not checked.
  fileprivate func hasAllPebbles(of law: Law) -> Bool {
    (try? scenarios(limit: 1).check(law)) != nil
  }

  /// Returns the positions of the pebbles that match the given names or patterns, without
  /// duplicates.
  fileprivate func ends(_ patterns: [String]) throws(Problem) -> [Int] {
    var ends: [Int] = []
    var known: Set<Int> = []
    let names = names
    for pattern in patterns {
      // A name may itself contain a `*`.
      let exact = names.indices.filter { names[$0] == pattern }
      let found = exact.isEmpty ? names.indices.filter { names[$0].matches(pattern) } : exact
      guard !found.isEmpty else {
        let hint = Arguments.hint(pattern.nearest(among: names)?.shortName)
        throw Problem("no pebble is named \(pattern.shortName)\(hint)")
      }
      ends += found.filter { known.insert($0).inserted }
    }
    return ends
  }

  /// Returns a law that requires exactly one of the pebbles at the given positions to run.
  func oneEnd(_ ends: [Int]) throws(Problem) -> Law {
    guard ends.count <= LawTrial.mostCounted else {
      throw Problem(
        "\(ends.count) pebbles are ends, but at most \(LawTrial.mostCounted) are counted; "
          + "name some with --end, or give a law")
    }
    return .exactlyOne(of: ends.map(completion))
  }
}

extension String {
  /// Returns whether the string matches a pattern, in which `*` stands for any characters.
  func matches(_ pattern: String) -> Bool {
    var parts = pattern.split(separator: "*", omittingEmptySubsequences: false)[...]
    guard parts.count > 1, let first = parts.popFirst(), let last = parts.popLast() else {
      return self == pattern
    }
    guard count >= first.count + last.count, hasPrefix(first), hasSuffix(last) else {
      return false
    }
    var rest = dropFirst(first.count).dropLast(last.count)
    for part in parts where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

extension Answer {
  /// Creates the answer about a goal. A goal that may be missed does not count as a broken law.
  fileprivate init(_ goal: GoalOutlook) {
    var printout = Printout()
    printout.line("the goal: \("\(goal.goal)".truncated(to: 500))", .heading)
    printout.line("\(goal)")
    if goal.misses.sets.contains(where: { !$0.isEmpty }) {
      printout.heading("the fewest failures with which it is missed")
      printout.text(goal.misses)
    }
    self.init(printout) {
      .object([
        "goal": .text("\(goal.goal)"),
        "endings": .count(goal.largeEndings), "endingsAbout": .about(goal.largeEndings),
        "reached": .count(goal.largeReached),
        "reachedShare": .share(goal.largeReached, of: goal.largeEndings),
        "smallestFailures": .list(goal.misses.sets.map(JSON.texts)),
        "isComplete": .truth(goal.misses.isComplete),
      ])
    }
  }
}
