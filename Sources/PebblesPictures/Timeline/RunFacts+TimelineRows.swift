import Pebbles
import PebblesAnalysis

extension RunFacts {
  /// The maximum number of pebbles in a timeline that shows each pebble in a separate row.
  static let mostRows = 10_000

  /// The maximum number of rows for pebbles on the longest chain in a run with more than `mostRows`
  /// pebbles. The same maximum applies separately to failed pebbles.
  private static let mostKept = 500

  /// The maximum number of rows for groups of pebbles in a run with more than `mostRows` pebbles.
  private static let mostGroups = 500

  /// Returns the rows of a timeline, in the order in which their first pebbles started.
  ///
  /// In a run with more than `mostRows` pebbles, only pebbles on the longest chain and failed
  /// pebbles have their own rows. The others are grouped by cluster or, if that would yield too
  /// many groups or a very large one, by time.
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

  /// Returns rows that group the pebbles by outermost cluster. Pebbles that are not in a cluster
  /// form a separate group.
  ///
  /// The result is `nil` if there would be more than `mostGroups` groups, or if one group would
  /// contain more than half of the pebbles.
  private func groupsByCluster(_ pebbles: [Int]) -> [TimelineRow]? {
    let graph = run.model.pond.graph
    var outermost = Array(repeating: -1, count: graph.names.count)
    // Inner clusters come after the outer ones, which contain their pebbles as well.
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
}
