import PebblesPictures

/// The help texts, generated from the table of commands.
struct Help {
  let syntaxes: [Syntax]

  /// The help text of the program: its usage, all commands, and the exit statuses.
  var overview: Printout {
    var help = Printout()
    help.line("usage: pond COMMAND [OPERANDS] [OPTIONS]")
    help.line("")
    help.line("Answers questions about a pond or a run of one, from a file.")
    help.line("")
    append(syntaxes.map { ($0.name, $0.summary) }, to: &help)
    help.line("")
    help.line("FILE is the JSON of a model or of a run, a journal, an inspector page, or a pond")
    help.line("sketched by hand; - is standard input. Its kind is recognized by its content.")
    help.line("")
    help.line("Exit status: 0 if all is well; 1 if something was found; 2 if the command line is")
    help.line("wrong, or a file cannot be read or written.")
    help.line("")
    help.line("pond COMMAND --help says more; pond --version shows the version.")
    return help
  }

  /// Returns the help text of a command.
  func text(of syntax: Syntax) -> Printout {
    var help = Printout()
    let operands = syntax.operands.map(\.usage).joined(separator: " ")
    help.line("usage: pond \(syntax.name) \(operands)\(operands.isEmpty ? "" : " ")[OPTIONS]")
    help.line("")
    help.line("\(syntax.summary.prefix(1).uppercased())\(syntax.summary.dropFirst()).")
    for detail in syntax.details {
      help.line("")
      help.text(detail)
    }
    help.line("")
    append(syntax.allOptions.map { ($0.usage, $0.summary) }, to: &help)
    return help
  }

  private func append(_ entries: [(String, String)], to help: inout Printout) {
    let width = entries.map(\.0.columns).max() ?? 0
    for (name, summary) in entries {
      help.line(StyledText("  \(name.padded(toColumns: width))  "), StyledText(summary))
    }
  }
}
