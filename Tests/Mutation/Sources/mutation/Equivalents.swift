import Foundation

/// The mutants that no test can detect, each with a sentence that explains the reason.
///
/// In the file, the summary of each mutant is a line that begins with its identifier, and the
/// sentence is indented below it. Lines that begin with `#` are comments.
struct Equivalents {
  private(set) var reasons: [String: String] = [:]

  init(_ text: String) throws {
    var id: String?
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix(" ") {
        guard let id else { throw Failure("equivalent.txt begins with a reason: \(line)") }
        let reason = line.drop { $0 == " " }
        reasons[id] = reasons[id].map { $0.isEmpty ? "\(reason)" : "\($0) \(reason)" }
      } else {
        let first = String(line.prefix { $0 != " " })
        guard reasons[first] == nil else { throw Failure("equivalent.txt names \(first) twice") }
        reasons[first] = ""
        id = first
      }
    }
    if let bare = reasons.first(where: { $0.value.isEmpty }) {
      throw Failure("equivalent.txt gives no reason for \(bare.key)")
    }
  }

  init(of workplace: Workplace) throws {
    guard FileManager.default.fileExists(atPath: workplace.equivalents) else {
      try self.init("")
      return
    }
    try self.init(Workplace.read(workplace.equivalents))
  }
}
