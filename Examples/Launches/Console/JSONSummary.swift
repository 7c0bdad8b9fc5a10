import Foundation
import Pebbles

/// What `--json` writes: how much the store holds and how each pebble of the boot ended.
struct JSONSummary: Codable, Equatable, Sendable {
  let launches: Int
  let cores: Int
  /// `succeeded`, `failed` or `skipped`, by the name of the pebble.
  let outcomes: [String: String]
  let makespanMs: Double

  /// The store is `nil` if it cannot be read; then it has nothing to show.
  init(of report: Report, store: StoreContents?) {
    launches = store?.launches.items.count ?? 0
    cores = store?.cores.items.count ?? 0
    outcomes = Dictionary(
      report.records.map { ($0.name, JSONSummary.word(for: $0.outcome)) }
    ) { first, _ in first }
    makespanMs = ((report.makespan / .milliseconds(1)) * 1000).rounded() / 1000
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  private static func word(for outcome: Outcome) -> String {
    switch outcome {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}
