import Pebbles
import PebblesAnalysis

/// A command line that was understood, with where it was given: all that a command works on.
struct Request: Sendable {
  let arguments: Arguments
  let environment: Environment

  /// Reads the file that is an operand.
  func document(_ operand: Int = 0) throws(Problem) -> PondDocument {
    try document(named: arguments.operands[operand])
  }

  /// Reads a file.
  func document(named path: String) throws(Problem) -> PondDocument {
    let limits = JSONLimits()
    let bytes = try environment.read(path, limits.bytes)
    do throws(JSONError) {
      return try PondDocument(bytes, limits: limits)
    } catch {
      throw Problem("cannot read \(Arguments.shown(path)): \(error)")
    }
  }

  /// Reads a run from the file that is an operand.
  func run(_ operand: Int = 0) throws(Problem) -> RecordedRun {
    try run(named: arguments.operands[operand])
  }

  func run(named path: String) throws(Problem) -> RecordedRun {
    guard let run = try document(named: path).run else {
      throw Problem(
        "\(Arguments.shown(path)) holds no run, only the definition of a pond; "
          + "\(arguments.syntax.name) needs what happened")
    }
    return run
  }

  /// The pebble of a name, which has to be there.
  func pebble(_ name: String, of model: PondModel) throws(Problem) -> PebbleID {
    guard model.position(of: .named(name)) == nil else { return .named(name) }
    let guess = name.nearest(among: model.names)
    let hint = Arguments.hint(guess.map { $0.truncated(to: 60).swiftLiteral })
    throw Problem("no pebble is named \(name.shortLiteral)\(hint)")
  }

  /// What is to be assumed of a run that has not taken place, by `--fail` and `--disable`.
  func assumptions(_ model: PondModel) throws -> [Assumption] {
    var assumptions: [Assumption] = []
    var given: [String: String] = [:]
    for option in ["--fail", "--disable"] {
      for name in arguments.values(option) { try assume(name, as: option, of: name, &given) }
    }
    for name in arguments.values("--fail") {
      assumptions.append(.fails(try pebble(name, of: model), error: "assumed"))
    }
    for name in arguments.values("--disable") {
      assumptions.append(.disabled(try pebble(name, of: model)))
    }
    return assumptions
  }

  /// Notes what is assumed of a pebble, of which but one thing can be so.
  func assume(
    _ assumption: String, as option: String, of name: String, _ given: inout [String: String]
  ) throws(UsageError) {
    let text = "\(option) \(assumption)"
    if let other = given.updateValue(text, forKey: name), other != text {
      throw arguments.fault(
        "\(Arguments.shown(other)) and \(Arguments.shown(text)) cannot both be so")
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
