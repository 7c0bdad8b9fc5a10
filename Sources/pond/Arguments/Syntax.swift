import Pebbles
import PebblesAnalysis

/// What a command line may look like: all that parsing, help and shell completions know of a
/// command.
struct Syntax: Sendable {
  let name: String

  /// What the command does, in a line.
  let summary: String

  let operands: [Operand]
  let options: [Option]

  /// More about it for its help, a paragraph each.
  var details: [String] = []

  /// In which forms it answers, besides plain text.
  var formats: [Format] = [.text, .json]

  /// All its options, with those that every command has.
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

/// The form of an answer.
enum Format: String, Sendable, CaseIterable {
  case text
  case json
  case github
}

/// When there are colours.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto
  case always
  case never
}
