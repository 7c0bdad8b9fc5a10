/// The reports of the runs inside of one run, within bounds: each keeps all that its pebbles
/// returned, and those inside of it in turn.
struct NestedReports: Sendable {
  private struct Entry: Sendable {
    let pebble: Int
    let report: Report
    /// The report itself and those inside of it.
    let weight: Int
  }

  /// How many reports of the runs inside of it a pebble keeps.
  static let mostOfPebble = 100

  /// How many reports a run keeps in all, those inside of each other included.
  static let most = 1_000

  /// In the order of their ends.
  private var entries: [Entry] = []
  private var counts: [Int: Int] = [:]
  private var droppedCounts: [Int: Int] = [:]

  /// How many there are, those inside of each other included.
  private(set) var weight = 0

  func reports(of pebble: Int) -> [Report] {
    entries.lazy.filter { $0.pebble == pebble }.map(\.report)
  }

  func droppedCount(of pebble: Int) -> Int { droppedCounts[pebble] ?? 0 }

  /// Adds a report, at the cost of the oldest of the pebble, or of the run.
  ///
  /// - Returns: Those that made room, to be let go of outside of any lock.
  /// - Complexity: O(reports).
  mutating func add(_ report: Report, weight reportWeight: Int, of pebble: Int) -> [Report] {
    entries.append(Entry(pebble: pebble, report: report, weight: reportWeight))
    counts[pebble, default: 0] += 1
    weight += reportWeight
    var gone: [Report] = []
    if counts[pebble, default: 0] > Self.mostOfPebble,
      let oldest = entries.firstIndex(where: { $0.pebble == pebble })
    {
      gone.append(remove(at: oldest))
    }
    while weight > Self.most, entries.count > 1 { gone.append(remove(at: 0)) }
    return gone
  }

  private mutating func remove(at index: Int) -> Report {
    let entry = entries.remove(at: index)
    counts[entry.pebble, default: 1] -= 1
    droppedCounts[entry.pebble, default: 0] += 1
    weight -= entry.weight
    return entry.report
  }
}
