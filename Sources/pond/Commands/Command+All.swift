extension Command {
  /// All commands. Parsing, help and completions are derived from this table.
  static let all: [Command] = [
    show, why, blame, chain, whatif, lint, endings, laws, compare, check, draw, completions,
  ]

  private static let completions = Command(
    syntax: Syntax(
      name: "completions", summary: "a script for a shell that completes commands and options",
      operands: [
        Operand(
          value: Option.Value(
            placeholder: "SHELL", kind: .words(Completions.Shell.allCases.map(\.rawValue))),
          meaning: "give bash, zsh or fish")
      ],
      options: [], details: ["A comment at the top of the script says where to put it."],
      formats: [.text])
  ) { request in
    let name = request.arguments.operands[0]
    guard let shell = Completions.Shell(rawValue: name) else {
      throw request.arguments.fault("there are bash, zsh and fish, not \(Arguments.shown(name))")
    }
    return Answer(Completions(syntaxes: all.map(\.syntax)).script(for: shell))
  }
}
