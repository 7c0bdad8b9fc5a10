/// An option of a command: its name, its value, and its description.
struct Option: Sendable {
  /// The name, including its dashes, such as `--fail`.
  let name: String

  /// The short form of the option, such as `-o`; `nil` if there is none.
  var letter: String?

  /// The value that follows the option; `nil` for a flag.
  var value: Value?

  /// The description of the option, shown in the help.
  let summary: String

  /// Whether the option may be given several times.
  var isRepeated = false

  /// The value of an option or of an operand.
  struct Value: Sendable {
    /// The placeholder for the value in the help, such as `FILE`.
    let placeholder: String

    var kind = Kind.text

    enum Kind: Sendable {
      case text
      /// An input file.
      case file
      /// An output file.
      case newFile
      case words([String])
    }
  }

  /// The option as shown in the help: `-o, --output FILE`.
  var usage: String {
    let names = [letter, name].compactMap { $0 }.joined(separator: ", ")
    return value.map { "\(names) \($0.placeholder)" } ?? names
  }
}

/// A positional argument, such as a file, the name of a pebble, or a law.
struct Operand: Sendable {
  let value: Option.Value

  /// The request shown if the operand is missing, such as `give the earlier run`.
  let meaning: String

  var count = Count.one

  enum Count: Sendable {
    case one
    case any
  }

  var usage: String { count == .one ? value.placeholder : "[\(value.placeholder) …]" }
}
