import Testing

/// One rule of the house style that a machine can check, and that the formatter does not.
protocol TidyRule: Sendable, CustomTestStringConvertible {
  /// What the rule asks for.
  var summary: String { get }

  func violations(in file: SourceFile) -> [Violation]
}

extension TidyRule {
  var testDescription: String { summary }
}

/// A place where a rule is broken.
struct Violation: Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let sentence: String

  var description: String { "\(path):\(line): \(sentence)" }
}

extension SourceFile {
  func violation(at line: Int, _ sentence: String) -> Violation {
    Violation(path: path, line: line, sentence: sentence)
  }
}

/// All rules, in the order of their tests.
let tidyRules: [any TidyRule] = [
  FileLengthRule(),
  FunctionLengthRule(),
  LineLengthRule(),
  CoreImportsRule(),
  DocumentationRule(),
  SummaryRule(),
  NamingRule(),
  UncheckedSendableRule(),
  RealTimeRule(),
  WatchedRule(),
  ProcessStartRule(),
]
