import Pebbles
import PebblesAnalysis

/// A command line, parsed according to the syntax of its command.
struct Arguments: Sendable {
  let syntax: Syntax
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Parses the words after the name of a command. An unknown option is an error, even if its
  /// meaning could be guessed.
  init(_ words: some Sequence<String>, of syntax: Syntax) throws(UsageError) {
    self.syntax = syntax
    var rest = Array(words)[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if areOptionsOver || word == "-" || !word.hasPrefix("-") {
        operands.append(word)
      } else if word == "--" {
        areOptionsOver = true
      } else {
        try take(word, &rest)
      }
    }
    guard !has("--help"), !has("--version") else { return }
    try checkOperands()
    try checkInputs()
    if has("--json"), let format = value("--format"), format != Format.json.rawValue {
      throw fault("--json and --format \(format) exclude each other; give one of them")
    }
  }

  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = word.unicodeScalars.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = syntax.option(name) else {
      let guess = name.nearest(among: syntax.allOptions.map(\.name))
      throw fault("there is no option \(Self.shown(name))" + Self.hint(guess))
    }
    var given = parts.count > 1 ? String(parts[1]) : nil
    if let value = option.value {
      given = given ?? rest.popFirst()
      guard let given, !given.isEmpty else {
        throw fault("\(option.name) needs \(value.placeholder) after it")
      }
      if case .words(let words) = value.kind, !words.contains(given) {
        throw fault(
          "\(option.name) takes \(words.joined(" or ")), not \(Self.shown(given))"
            + Self.hint(given.nearest(among: words)))
      }
    } else if given != nil {
      throw fault("\(option.name) takes no value")
    }
    guard option.isRepeated || values[option.name] == nil else {
      throw fault("\(option.name) is given twice")
    }
    values[option.name, default: []].append(given ?? "")
  }

  private func checkOperands() throws(UsageError) {
    let single = syntax.operands.filter { $0.count == .one }
    if operands.count < single.count {
      let missing = single[operands.count]
      throw fault("\(missing.value.placeholder) is missing: \(missing.meaning)")
    }
    if operands.count > single.count, single.count == syntax.operands.count {
      throw fault("\(Self.shown(operands[single.count])) is one operand too many")
    }
  }

  /// Throws an error if standard input is named more than once, because it can be read only once.
  private func checkInputs() throws(UsageError) {
    let isFile: (Option.Value) -> Bool = { if case .file = $0.kind { true } else { false } }
    let files = zip(syntax.operands, operands).filter { isFile($0.0.value) }.map(\.1)
    let inputs = syntax.options.filter { $0.value.map(isFile) == true }
    if (files + inputs.flatMap { values($0.name) }).count(where: { $0 == "-" }) > 1 {
      throw fault("standard input, -, can be read for one file, not for two")
    }
  }

  // MARK: Reading

  func has(_ option: String) -> Bool { values[option] != nil }

  func value(_ option: String) -> String? { values[option]?.last }

  func values(_ option: String) -> [String] { values[option] ?? [] }

  /// Returns the value of an option as a whole number that is at least `least`; `nil` if the option
  /// is not given.
  func number(_ option: String, least: Int = 1) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), number >= least else {
      throw fault("\(option) takes a whole number from \(least) on, not \(Self.shown(text))")
    }
    return number
  }

  /// Returns the value of an option as a case of an enumeration; `usual` if the option is not
  /// given. The parser has already checked that the value is valid.
  func word<Word: RawRepresentable<String>>(_ option: String, _ usual: Word) -> Word {
    value(option).flatMap(Word.init) ?? usual
  }

  var format: Format { has("--json") ? .json : word("--format", .text) }

  /// Returns an error about this command line. The error includes the command's name, so that the
  /// user can be referred to its help.
  func fault(_ sentence: String) -> UsageError { UsageError(sentence, of: syntax.name) }

  /// Returns a word of the command line in quotes, on one line and truncated, for use in a
  /// sentence.
  static func shown(_ word: String) -> String { "'\(word.singleLine.truncated(to: 80))'" }

  static func hint(_ guess: String?) -> String { guess.map { "; did you mean \($0)?" } ?? "" }
}

/// An error in a command line. Its description is a sentence that states the mistake and, if
/// possible, a remedy.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The name of the command; `nil` if the error was found before the command was known.
  var command: String?

  init(_ sentence: String, of command: String? = nil) {
    description = sentence
    self.command = command
  }
}
