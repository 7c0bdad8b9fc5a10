import Pebbles
import PebblesAnalysis

/// A row of a timeline, before it has a place: a pebble, or many in one.
struct TimelineRow {
  /// The pebbles, by start; one, or those of a group.
  let pebbles: [Int]

  /// What a group is called; `nil` for a pebble.
  let groupName: String?

  /// When the first one started, or was skipped, in nanoseconds.
  let begin: UInt64

  /// When the last one ended.
  let end: UInt64

  /// The pebble, if it is one.
  var pebble: Int? { groupName == nil ? pebbles.first : nil }

  init(_ pebbles: [Int], groupName: String? = nil, _ facts: RunFacts) {
    self.pebbles = pebbles
    self.groupName = groupName
    begin = pebbles.lazy.map(facts.begin).min() ?? 0
    end = pebbles.lazy.map(facts.end).max() ?? 0
  }
}

extension RunFacts {
  /// What is written at a row.
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

  /// What is shown of a row when it is pointed at, and read aloud, besides its label.
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
