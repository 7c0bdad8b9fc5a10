import Pebbles
import PebblesAnalysis

/// The syntax of a command. Parsing, help and shell completions are derived from it.
struct Syntax: Sendable {
  let name: String

  /// The purpose of the command, in one line.
  let summary: String

  let operands: [Operand]
  let options: [Option]

  /// Further paragraphs for the help of the command.
  var details: [String] = []

  /// The formats in which the command can give its answer.
  var formats: [Format] = [.text, .json]

  /// All options, including the options that every command has.
  var allOptions: [Option] { options + Self.common(formats) }

  func option(_ word: String) -> Option? {
    allOptions.first { $0.name == word || $0.letter == word }
  }

  private static func common(_ formats: [Format]) -> [Option] {
    let words = formats.map(\.rawValue)
    let form = Option(
      name: "--format", value: Option.Value(placeholder: "FORM", kind: .words(words)),
      summary: "answer as \(words.joined(" or "))")
    let json = Option(name: "--json", summary: "the same as --format json")
    let color = Option(
      name: "--color",
      value: Option.Value(placeholder: "WHEN", kind: .words(ColorChoice.allCases.map(\.rawValue))),
      summary: "colours: auto (on a terminal, unless NO_COLOR is set), always or never")
    let help = Option(name: "--help", letter: "-h", summary: "show this")
    let version = Option(name: "--version", summary: "show the version")
    return (formats.count > 1 ? [form, json] : []) + [color, help, version]
  }
}

/// The format of an answer.
enum Format: String, Sendable, CaseIterable {
  case text
  case json
  case github
}

/// The choice of when to use colors.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto
  case always
  case never
}
