/// An option of a command: what it is called, what it takes, what it does.
struct Option: Sendable {
  /// With its dashes: `--fail`.
  let name: String

  /// A single letter for it, with its dash: `-o`.
  var letter: String?

  /// What stands behind it; without, it is only there or not.
  var value: Value?

  /// What it does, for the help.
  let summary: String

  /// Whether it may be given several times.
  var isRepeated = false

  /// What stands behind an option, or is an operand.
  struct Value: Sendable {
    /// What stands for it in the help: `FILE`.
    let placeholder: String

    var kind = Kind.text

    enum Kind: Sendable {
      case text
      /// A file that is read.
      case file
      /// A file that is written.
      case newFile
      case words([String])
    }
  }

  /// As it stands in the help: `-o, --output FILE`.
  var usage: String {
    let names = [letter, name].compactMap { $0 }.joined(separator: ", ")
    return value.map { "\(names) \($0.placeholder)" } ?? names
  }
}

/// What stands in a command line by its place: a file, the name of a pebble, a law.
struct Operand: Sendable {
  let value: Option.Value

  /// What is to be given, for the error if it is missing: `a run or a pond`.
  let meaning: String

  var count = Count.one

  enum Count: Sendable {
    case one
    case any
  }

  var usage: String { count == .one ? value.placeholder : "[\(value.placeholder) …]" }
}
