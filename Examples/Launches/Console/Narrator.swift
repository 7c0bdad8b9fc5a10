import Foundation
import Pebbles

/// Tells on standard error what the pebbles do, a line as each starts and a line as it ends.
struct Narrator: Sendable {
  enum Style: Sendable {
    /// Sentences, for logs.
    case plain
    /// Aligned, with signs, for people.
    case terminal(colored: Bool)
  }

  let style: Style
  /// Takes one line. It cannot fail: there is nowhere left to complain.
  let tell: @Sendable (String) -> Void

  static func standardError(environment: [String: String]) -> Narrator {
    let isDumb = environment["TERM", default: "dumb"] == "dumb"
    let isColorless = isDumb || environment["NO_COLOR", default: ""] != ""
    let style = StandardStream.error.isTerminal ? Style.terminal(colored: !isColorless) : .plain
    return Narrator(style: style) { line in
      try? StandardStream.error.write(line + "\n")
    }
  }

  func pebbleStarted(_ name: String) {
    switch style {
    case .plain: tell("\(name) started")
    case .terminal(let colored): tell(Sign.started.text(colored: colored) + " " + name)
    }
  }

  func pebbleSucceeded(_ name: String, after time: Duration, with output: String) {
    switch style {
    case .plain:
      tell("\(name) succeeded in \(brief(time)): \(printableLines(output))")
    case .terminal(let colored):
      tell(line(Sign.succeeded.text(colored: colored), name, time, output))
    }
  }

  func pebbleFailed(_ name: String, after time: Duration, with error: any Error) {
    switch style {
    case .plain:
      tell("\(name) failed in \(brief(time)): \(printableLines("\(error)"))")
    case .terminal(let colored):
      tell(line(Sign.failed.text(colored: colored), name, time, "\(error)"))
    }
  }

  /// The first line of the report, which has the totals. The rest has been told as it happened,
  /// except for pebbles that never started.
  func bootEnded(_ report: Report) {
    for record in report.records where record.outcome.isSkipped {
      tell(printable(record.explanation))
    }
    tell(printable(String("\(report)".prefix { $0 != "\n" })))
  }

  private func line(_ sign: String, _ name: String, _ time: Duration, _ remark: String) -> String {
    let name = name.padded(to: Boot.pebbleNames.map(\.count).max() ?? 0)
    return "\(sign) \(name)  \(brief(time).padded(to: 7, .right))  \(printableLines(remark))"
  }

  private func brief(_ time: Duration) -> String {
    let milliseconds = time / .milliseconds(1)
    return milliseconds < 10_000 ? "\(Int(milliseconds)) ms" : "\(Int(milliseconds / 1000)) s"
  }
}

private enum Sign: String {
  case started = "▸"
  case succeeded = "✓"
  case failed = "✗"

  func text(colored: Bool) -> String {
    guard colored else { return rawValue }
    let color =
      switch self {
      case .started: 36
      case .succeeded: 32
      case .failed: 31
      }
    return "\u{1B}[\(color)m\(rawValue)\u{1B}[0m"
  }
}
