import Foundation

/// The result of playing a mutant.
struct Verdict: Codable, Sendable {
  enum End: String, Codable, Sendable {
    case killed
    case crashed
    /// The mutant counts as killed because the tests did not end in time.
    case hung
    case survived
    /// No suite reaches the mutant.
    case unreached
  }

  let id: String
  let end: End

  /// Whether the mutant had hung before, and was played again with more time.
  let isRepeated: Bool

  /// The line of the output that reports the failure; the kind of end if the process crashed or
  /// hung, and empty if nothing failed.
  let by: String

  /// The suite that detected the mutant; `nil` if it is not known.
  let suite: String?
  let suites: Int
  let seconds: Double

  var needsRepetition: Bool { end == .hung && !isRepeated }

  static func readAll(_ workplace: Workplace) throws -> [String: Verdict] {
    guard FileManager.default.fileExists(atPath: workplace.results) else { return [:] }
    let lines = try Workplace.read(workplace.results).split(separator: "\n")
    let decoder = JSONDecoder()
    var all: [String: Verdict] = [:]
    for line in lines {
      // The last line of a run that was killed may be a part of one.
      guard let verdict = try? decoder.decode(Verdict.self, from: Data(line.utf8)) else { continue }
      all[verdict.id] = verdict
    }
    return all
  }

  func append(to workplace: Workplace) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(self)
    try Workplace.append(String(decoding: data, as: UTF8.self) + "\n", to: workplace.results)
  }
}
