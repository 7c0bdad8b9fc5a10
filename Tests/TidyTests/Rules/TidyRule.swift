import Testing

/// A rule of the house style that can be checked automatically, but not by the formatter.
protocol TidyRule: Sendable, CustomTestStringConvertible {
  /// The requirement of the rule, as a phrase.
  var summary: String { get }

  func violations(in file: SourceFile) -> [Violation]
}

extension TidyRule {
  var testDescription: String { summary }
}

/// A place at which a rule is violated.
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

/// The rules that are checked file by file, in the order of their tests.
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
