import Pebbles
import PebblesAnalysis

/// A row of a timeline before it is placed: a pebble, or a group of pebbles.
struct TimelineRow {
  /// The row's pebbles, in the order in which they started; exactly one if the row is not a group.
  let pebbles: [Int]

  /// The name of the group; `nil` for a single pebble.
  let groupName: String?

  /// The time at which the first pebble started or was skipped, in nanoseconds since the start of
  /// the run.
  let begin: UInt64

  /// The time at which the last pebble ended, in nanoseconds since the start of the run.
  let end: UInt64

  /// The pebble of the row; `nil` for a group.
  var pebble: Int? { groupName == nil ? pebbles.first : nil }

  init(_ pebbles: [Int], groupName: String? = nil, _ facts: RunFacts) {
    self.pebbles = pebbles
    self.groupName = groupName
    begin = pebbles.lazy.map(facts.begin).min() ?? 0
    end = pebbles.lazy.map(facts.end).max() ?? 0
  }
}

extension RunFacts {
  /// Returns the text of a row's label.
  func label(of row: TimelineRow) -> String {
    guard let pebble = row.pebble else {
      let time = (row.end - row.begin).asNanoseconds.brief
      return "\(row.groupName ?? ""): \(counts(of: row)) · \(time)"
    }
    let took = run.pebbles[pebble].duration.map { " \($0.brief)" } ?? ""
    let remark = remark(on: pebble).map { " · \($0)" } ?? ""
    return "\(sign(of: pebble)) \(name(of: pebble))\(took)\(remark)"
  }

  private func counts(of row: TimelineRow) -> String {
    var counts: [String: Int] = [:]
    for pebble in row.pebbles { counts[sign(of: pebble), default: 0] += 1 }
    return ["✓", "✗", "⊘", "○"].compactMap { sign in counts[sign].map { "\($0) \(sign)" } }
      .joined(separator: ", ")
  }

  /// Returns further details of a row; empty for a group. The details follow the label in the text
  /// that appears when a user points at the row. A screen reader reads this text aloud.
  func details(of row: TimelineRow) -> String {
    guard let pebble = row.pebble else { return "" }
    let record = run.pebbles[pebble]
    var parts = [""]
    if let started = record.started {
      parts.append("started at \(started.brief), ended at \(record.finished.brief)")
      let waited = (begin(of: pebble) - min(ready(of: pebble), begin(of: pebble))).asNanoseconds
      switch wait(of: pebble) {
      case .limit: parts.append("waited \(waited.brief) for a limit")
      case .thread: parts.append("waited \(waited.brief) for a thread")
      case nil: break
      }
    } else {
      parts.append("at \(record.finished.brief)")
    }
    if isOnChain[pebble] { parts.append("on the longest chain") }
    return parts.joined(separator: "; ")
  }
}
