import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let show = Command(
    syntax: Syntax(
      name: "show", summary: "how a run ended, or the pebbles of a pond",
      operands: [.document], options: [.most(40, "pebbles of each kind")],
      details: [
        "For a run: the pebbles that failed, were blocked or were skipped, and why; and how long\n"
          + "the rest took.\n"
          + "For a pond: its pebbles and their conditions."
      ])
  ) { request in
    let document = try request.document()
    let most = try request.arguments.number("--most") ?? 40
    if let run = document.run {
      let summary = RunSummary(run, most: most)
      return Answer(summary.printout) { summary.json }
    }
    let summary = ModelSummary(model: document.model, most: most)
    return Answer(summary.printout) { summary.json }
  }
}

/// The summary of a pond.
private struct ModelSummary {
  let model: PondModel
  let most: Int

  var printout: Printout {
    var printout = Printout()
    let conditional = (0..<model.count).count { !isAlways($0) }
    printout.line(
      "\(model.name.truncated(to: 60)): \(counted(model.count, "pebble")), "
        + "\(counted(conditional, "condition"))", .heading)
    let shown = 0..<min(model.count, most)
    let names = shown.map { model.names[$0].inColumn }
    let width = names.map(\.columns).max() ?? 0
    for (position, name) in zip(shown, names) {
      let condition = model.condition(at: position).description.truncated(to: 2_000)
      printout.line(
        StyledText("  " + (isAlways(position) ? name : name.padded(toColumns: width) + "  ")),
        StyledText(isAlways(position) ? "" : condition, .faint))
    }
    if model.count > most { printout.line("  … and \(model.count - most) more", .faint) }
    if let goal = model.goal {
      printout.line(
        StyledText("goal: "), StyledText(goal.description.truncated(to: 2_000), .faint))
    }
    return printout
  }

  var json: JSON {
    let names = model.names
    return .object([
      "pond": .text(model.name),
      "goal": .optional(model.goal) { .text($0.description) },
      "pebbles": .list(
        names.indices.map { position in
          .object([
            "name": .text(names[position]),
            "when": .text(model.condition(at: position).description),
            "cases": .texts(model.cases(at: position).map(\.description)),
          ])
        }),
    ])
  }

  private func isAlways(_ position: Int) -> Bool {
    if case .constant(true) = model.condition(at: position).expression { true } else { false }
  }
}
