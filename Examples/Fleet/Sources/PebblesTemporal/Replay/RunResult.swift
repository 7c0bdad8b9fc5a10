import Pebbles
import PebblesAnalysis

/// The stored result of a run that has ended, in a form for people and a form for programs.
struct RunResult: Sendable {
  /// A one-line summary of how the run ended, with the number of pebbles for each outcome, the
  /// first failure, and the reason for a missed goal.
  let summary: String

  /// The complete record of the run, as JSON.
  let record: [UInt8]

  init(_ summary: String, _ record: [UInt8]) {
    self.summary = summary
    self.record = record
  }

  init(_ run: RecordedRun) {
    self.init(Self.summary(of: run), run.jsonBytes())
  }

  private static func summary(of run: RecordedRun) -> String {
    let outcomes = run.pebbles.map(\.outcome)
    let counts = [
      (outcomes.count { $0 == .succeeded }, "succeeded"),
      (outcomes.count { $0.error != nil }, "failed"),
      (outcomes.count(where: \.isSkipped), "skipped"),
    ]
    var parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if parts.isEmpty { parts = ["no pebbles"] }
    if run.cancellation != nil { parts.append("cancelled") }
    var summary = "\(parts.joined(separator: ", ")) in \(run.makespan.brief)"
    let failed = run.pebbles.filter { $0.outcome.error != nil }
    if let first = failed.min(by: { $0.finished < $1.finished }) {
      let name = first.name.cut(to: 200).inLine
      let error = (first.outcome.error ?? "").cut(to: longestError).inLine
      summary += "; \(failed.count > 1 ? "the first to fail: " : "")\(name): \(error)"
    }
    if let missed = try? run.missedGoal { summary += "; \(missed.cut(to: longestError))" }
    return summary
  }

  /// The maximum length of an error in the summary, in bytes.
  private static let longestError = 400
}

/// The facts about a run that the server shows in its lists.
enum RunMemo {
  static let pond = "pond"
  static let outcome = "outcome"
}
