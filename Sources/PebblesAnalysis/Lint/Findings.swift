/// The findings about a pond, in order of decreasing severity. Findings of equal severity are in
/// definition order.
public struct Findings: Sendable, Hashable, RandomAccessCollection {
  /// The name of the pond.
  public let pondName: String

  private let findings: [Finding]

  init(pondName: String, _ findings: [Finding]) {
    self.pondName = pondName
    self.findings = findings
  }

  /// The position of the first finding.
  public var startIndex: Int { 0 }

  /// The position after the last finding.
  public var endIndex: Int { findings.count }

  /// Accesses the finding at a position.
  public subscript(position: Int) -> Finding { findings[position] }

  /// Returns the findings of a kind, in order.
  public func of(_ kind: Finding.Kind) -> [Finding] { findings.filter { $0.kind == kind } }
}

extension Findings: CustomStringConvertible {
  private static let mostLines = 200

  /// A heading, followed by the findings with their advice.
  ///
  /// ```
  /// boot: 1 warning, 1 note
  ///
  /// warning: showOffline can never run: ping.succeeded && ping.failed is true in no scenario
  ///   → change the condition of showOffline, or remove the pebble [neverTrue]
  /// …
  /// ```
  ///
  /// Only the first two hundred findings are included.
  public var description: String {
    let counts = Finding.Severity.allCases.reversed().compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let name = pondName.singleLine.truncated(to: Wording.longestName)
    let totals = counts.isEmpty ? "nothing to report" : counts.joined(separator: ", ")
    var lines = ["\(name): \(totals)"]
    for finding in findings.prefix(Self.mostLines) {
      lines += [
        "", "\(finding.severity.rawValue): \(finding.sentence)",
        "  → \(finding.advice) [\(finding.kind.rawValue)]",
      ]
    }
    let rest = findings.count - Self.mostLines
    if rest > 0 { lines += ["", "… and \(rest) more"] }
    return lines.joined(separator: "\n")
  }
}
