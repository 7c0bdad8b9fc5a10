import Foundation

/// A line in which the probe reports an effect of a body or a teardown.
struct ProbeEffect {
  let word: String
  let name: String
  let process: String
  let attempt: Int
  let idempotencyKey: String

  /// Returns the effects in a file. Lines that cannot be read, such as an incomplete last line, are
  /// omitted.
  static func all(at path: String) -> [ProbeEffect] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 4).map(String.init)
      guard parts.count >= 3 else { return nil }
      return ProbeEffect(
        word: parts[0], name: parts[1], process: parts[2],
        attempt: parts.count > 3 ? Int(parts[3]) ?? 0 : 0,
        idempotencyKey: parts.count > 4 ? parts[4] : "")
    }
  }
}
