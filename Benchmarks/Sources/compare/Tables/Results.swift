import Foundation

/// The results of all benchmark runs.
struct Results: Encodable {
  struct Run: Encodable {
    let cases: [CaseResult]
    let targets: [TargetResult]
  }

  let environment: Environment
  let runs: [Run]

  private var lastCases: [CaseResult] { runs.last?.cases ?? [] }

  var tables: [Table] { [Table(lastCases), Table(targetsOf: runs.map(\.targets))] }

  var markdown: String {
    let parts = [environment.description] + tables.map(\.markdown)
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// A short table for users of the library.
  var brief: String {
    [environment.description, Table(brief: lastCases).markdown].joined(separator: "\n\n") + "\n"
  }

  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }
}
