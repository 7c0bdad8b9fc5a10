import Pebbles
import PebblesAnalysis
import PebblesPictures

/// One invocation of `pond`, from the command line to the result. A session writes no output
/// itself.
struct Session {
  let environment: Environment

  /// The result of an invocation.
  struct Result {
    var status: Int32
    var output = ""
    var error = ""
    var files: [File] = []
  }

  /// An output file.
  struct File: Equatable {
    let path: String
    let text: String
    var isAppended = false
  }

  /// The maximum number of annotations; GitHub shows far fewer per step.
  private static let mostAnnotations = 50

  private static let help = Help(syntaxes: Command.all.map(\.syntax))

  /// Executes a command line and returns its result. After an error, the result consists of a
  /// message and the status 2.
  func run(_ words: [String]) -> Result {
    do {
      return try unsafeRun(words)
    } catch let error as UsageError {
      let help = error.command.map { "pond \($0) --help" } ?? "pond --help"
      return failure("\(error)\nTry \(help).")
    } catch {
      return failure("\(error)")
    }
  }

  private func failure(_ sentence: String) -> Result {
    let lines = "pond: \(sentence)".split(separator: "\n").map { String($0).singleLine }
    let shown = environment.isOnGitHub ? lines.map(\.withoutCommands) : lines
    return Result(status: 2, error: shown.joined(separator: "\n") + "\n")
  }

  private func unsafeRun(_ words: [String]) throws -> Result {
    // The help goes to standard error, with a failure status, because the caller asked for nothing.
    guard let name = words.first else { return Result(status: 2, error: Self.help.overview.text()) }
    if name == "--version" { return version }
    if ["help", "--help", "-h"].contains(name) { return try help(words.dropFirst()) }
    let command = try Self.command(name)
    let arguments = try Arguments(words.dropFirst(), of: command.syntax)
    let look = environment.look(arguments.word("--color", .auto))
    if arguments.has("--help") {
      return Result(status: 0, output: Self.help.text(of: command.syntax).text(look))
    }
    if arguments.has("--version") { return version }
    let request = Request(arguments: arguments, environment: environment)
    let answer = try command.answer(request)
    return result(answer, arguments, look)
  }

  private var version: Result { Result(status: 0, output: "pond \(Pond.packageVersion)\n") }

  private func help(_ words: ArraySlice<String>) throws -> Result {
    if words.contains("--version") { return version }
    let look = environment.look(.auto)
    guard let name = words.first else {
      return Result(status: 0, output: Self.help.overview.text(look))
    }
    return Result(status: 0, output: Self.help.text(of: try Self.command(name).syntax).text(look))
  }

  private static func command(_ name: String) throws(UsageError) -> Command {
    if let command = Command.all.first(where: { $0.syntax.name == name }) { return command }
    let guess = name.nearest(among: Command.all.map(\.syntax.name) + ["--help", "--version"])
    throw UsageError("there is no command \(Arguments.shown(name))\(Arguments.hint(guess))")
  }

  private func result(_ answer: Answer, _ arguments: Arguments, _ look: Printout.Look) -> Result {
    var result = Result(status: answer.hasFindings ? 1 : 0)
    if let document = answer.document {
      if let path = answer.path, path != "-" {
        result.files = [File(path: path, text: document)]
      } else {
        result.output = document
      }
      return result
    }
    switch arguments.format {
    case .text: result.output = answer.printout.text(look)
    case .json: result.output = answer.json().visibleJSON + "\n"
    case .github:
      var lines = Printout()
      for annotation in answer.annotations.prefix(Self.mostAnnotations) {
        lines.line(annotation.command)
      }
      let rest = answer.annotations.count - Self.mostAnnotations
      if rest > 0 {
        let more = Annotation(
          level: .notice, title: arguments.syntax.name, message: "… and \(rest) more like these")
        lines.line(more.command)
      }
      if lines.isEmpty { lines.line("pond \(arguments.syntax.name): nothing found") }
      result.output = lines.text()
      if let path = environment.variables["GITHUB_STEP_SUMMARY"], !path.isEmpty {
        let summary = Self.summary(of: answer.printout, arguments)
        result.files = [File(path: path, text: summary, isAppended: true)]
      }
    }
    return result
  }

  /// Returns the answer as Markdown: a heading, and a code block with a fence longer than any fence
  /// in the answer.
  private static func summary(of printout: Printout, _ arguments: Arguments) -> String {
    let text = printout.text()
    let lines: [Substring] = text.split(separator: "\n")
    let longest =
      lines.map { line in line.drop { $0 == " " }.prefix { $0 == "`" }.count }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "### pond \(arguments.syntax.name)\n\n\(fence)\n\(text)\(fence)\n"
  }
}
