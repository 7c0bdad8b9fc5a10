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
  /// How many pebbles have a row of their own, at most.
  static let mostRows = 10_000

  /// In a larger run, how many of the chain, and how many that failed, keep one.
  private static let mostKept = 500

  /// In a larger run, how many rows there are for the others, at most.
  private static let mostGroups = 500

  /// The rows of a timeline, by start.
  ///
  /// Above ten thousand pebbles, those of the longest chain and those that failed stay by
  /// themselves, the others are grouped: by cluster if that says something, else by time.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  func timelineRows(mostRows: Int = mostRows) -> [TimelineRow] {
    let order = byStart
    guard order.count > mostRows else { return order.map { TimelineRow([$0], self) } }
    let failed = order.lazy.filter { run.pebbles[$0].outcome.isFailed }
    let kept = Set(chain.lazy.map(\.position).prefix(Self.mostKept))
      .union(failed.prefix(Self.mostKept))
    let others = order.filter { !kept.contains($0) }
    let rows =
      order.filter(kept.contains).map { TimelineRow([$0], self) }
      + (groupsByCluster(others) ?? groupsByTime(others))
    return rows.enumerated()
      .sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }.map(\.element)
  }

  /// `nil` if there are too many clusters, or if nearly all is in one of them, or in none.
  private func groupsByCluster(_ pebbles: [Int]) -> [TimelineRow]? {
    let graph = run.model.pond.graph
    var outermost = Array(repeating: -1, count: graph.names.count)
    // Those inside of others come after them.
    for (number, cluster) in graph.clusters.enumerated() where cluster.parent == nil {
      for pebble in cluster.pebbles { outermost[pebble] = number }
    }
    var members: [Int: [Int]] = [:]
    for pebble in pebbles { members[outermost[pebble], default: []].append(pebble) }
    guard members.count <= Self.mostGroups, let largest = members.values.map(\.count).max(),
      largest <= pebbles.count / 2
    else { return nil }
    return members.keys.sorted().map { number in
      let name = number < 0 ? "in no cluster" : Self.shown(graph.clusters[number].name)
      return TimelineRow(members[number] ?? [], groupName: name, self)
    }
  }

  private func groupsByTime(_ pebbles: [Int]) -> [TimelineRow] {
    let size = max(1, (pebbles.count + Self.mostGroups - 1) / Self.mostGroups)
    return stride(from: 0, to: pebbles.count, by: size).map { start in
      let members = Array(pebbles[start..<min(start + size, pebbles.count)])
      let more = members.count > 1 ? " …" : ""
      return TimelineRow(members, groupName: "\(name(of: members[0]))\(more)", self)
    }
  }

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
    return ["✓", "✗", "⊘"].compactMap { sign in counts[sign].map { "\($0) \(sign)" } }
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
