import Pebbles
import PebblesAnalysis
import PebblesDurable

/// The input of a command: a parsed command line and the environment in which the command runs.
struct Request: Sendable {
  let arguments: Arguments
  let environment: Environment

  /// The limits for reading files that are not journals.
  var limits = JSONLimits()

  /// The maximum length of a journal, in bytes. A journal may be longer than other files, because
  /// it contains outputs.
  var journalLimit = 1 << 30

  /// Reads the document in the file named by an operand.
  func document(_ operand: Int = 0) throws(Problem) -> PondDocument {
    try document(named: arguments.operands[operand])
  }

  /// Reads the document in a file.
  func document(named path: String) throws(Problem) -> PondDocument {
    let bytes = try environment.read(path) {
      RecordedRun.isJournal($0) ? journalLimit : limits.bytes
    }
    if RecordedRun.isJournal(bytes) { return try journal(bytes, named: path) }
    do throws(JSONError) {
      return try PondDocument(bytes, limits: limits)
    } catch {
      throw Problem("cannot read \(Arguments.shown(path)): \(error)")
    }
  }

  /// Reads a run from its journal, even if the run has not ended yet.
  private func journal(_ bytes: [UInt8], named path: String) throws(Problem) -> PondDocument {
    guard bytes.count <= journalLimit else {
      throw Problem(
        "cannot read \(Arguments.shown(path)): the journal is longer than \(journalLimit) bytes")
    }
    do throws(JournalError) {
      return PondDocument(journal: try RecordedRun(journal: bytes, at: Arguments.shown(path)))
    } catch {
      throw Problem("\(error)")
    }
  }

  /// Reads a run from the file named by an operand.
  func run(_ operand: Int = 0) throws(Problem) -> RecordedRun {
    try run(named: arguments.operands[operand])
  }

  func run(named path: String) throws(Problem) -> RecordedRun {
    guard let run = try document(named: path).run else {
      throw Problem(
        "\(Arguments.shown(path)) holds no run, only the definition of a pond; "
          + "\(arguments.syntax.name) needs a run")
    }
    return run
  }

  /// Returns the identifier of the pebble with the given name. Throws an error if the model has no
  /// such pebble.
  func pebble(_ name: String, of model: PondModel) throws(Problem) -> PebbleID {
    guard model.position(of: .named(name)) == nil else { return .named(name) }
    let guess = name.nearest(among: model.names)
    let hint = Arguments.hint(guess?.shortName)
    throw Problem("no pebble is named \(name.shortName)\(hint)")
  }

  /// Returns a document's pond. If `--only` is given, the pond is limited to the pebbles that the
  /// option names and their dependencies.
  func model(of document: PondDocument) throws(Problem) -> PondModel {
    var targets: [any PebbleIdentifying] = []
    for name in arguments.values("--only") {
      targets.append(try pebble(name, of: document.model))
    }
    if targets.isEmpty { return document.model }
    do throws(UnknownPebbleError) {
      return try document.model.subset(for: targets)
    } catch {
      throw Problem("\(error)")
    }
  }

  /// Returns the outcomes that `--fail`, `--succeed` and `--disable` assume.
  func assumptions(_ model: PondModel) throws -> AssumedEnds {
    var ends = AssumedEnds()
    var given: [String: String] = [:]
    for option in ["--fail", "--succeed", "--disable"] {
      for text in arguments.values(option) {
        let isDisabled = option == "--disable"
        let (name, cases) =
          isDisabled ? (text, []) : try end(text, isFailure: option == "--fail", of: model)
        try assume(text, as: option, of: name, &given)
        ends.assume(
          try pebble(name, of: model),
          isDisabled ? .disabled : option == "--fail" ? .failed(cases) : .succeeded(cases))
      }
    }
    return ends
  }

  /// Splits a string such as `database=locked` into the name of a pebble and a case. There is no
  /// case if the whole string is the name of a pebble, such as `database`.
  private func end(
    _ text: String, isFailure: Bool, of model: PondModel
  ) throws -> (name: String, cases: [PebbleCase]) {
    guard model.position(of: .named(text)) == nil, let (name, word) = text.splitAtLastEqualsSign
    else { return (text, []) }
    guard !name.isEmpty else {
      throw Problem("\(text.shortLiteral) has no name of a pebble before the =")
    }
    guard let position = model.position(of: try pebble(name, of: model)) else { return (name, []) }
    let cases = model.cases(at: position).filter { $0.isFailure == isFailure }
    guard let found = cases.first(where: { $0.name == word || "\($0)" == word }) else {
      let guess = word.nearest(among: cases.map(\.name)) ?? cases.first?.name
      let hint = Arguments.hint(guess?.shortLiteral)
      let outcome = isFailure ? "failed" : "succeeded"
      throw Problem("\(name.shortName) has no case of \(outcome) \(word.shortLiteral)\(hint)")
    }
    return (name, [found])
  }

  /// Returns the result of a closure. Throws a `Problem` if the closure throws an
  /// `AssumptionError`.
  func assuming<Result>(_ answer: () throws -> Result) throws -> Result {
    do {
      return try answer()
    } catch let error as AssumptionError {
      throw Problem(error.description)
    }
  }

  /// Records an assumption about a pebble. Throws an error if a different assumption about the same
  /// pebble has already been recorded.
  func assume(
    _ assumption: String, as option: String, of name: String, _ given: inout [String: String]
  ) throws(UsageError) {
    let text = "\(option) \(assumption)"
    if let other = given.updateValue(text, forKey: name), other != text {
      throw arguments.fault(
        "\(Arguments.shown(other)) and \(Arguments.shown(text)) contradict each other")
    }
  }

  func condition(_ text: String, of model: PondModel) throws(Problem) -> Condition {
    do throws(TextError) {
      return try model.condition(text)
    } catch {
      throw Problem("the condition \(text.shortLiteral) is not understood: \(error)")
    }
  }
}
