/// The reports of the runs inside one run. The number of reports is limited, because each report
/// retains all outputs of its pebbles, and may contain further reports.
struct NestedReports: Sendable {
  private struct Entry: Sendable {
    let pebble: Int
    let report: Report
    /// The number of reports in the entry, including all reports inside its report.
    let weight: Int
  }

  /// The maximum number of reports of inner runs that are kept for one pebble.
  static let mostOfPebble = 100

  /// The maximum number of reports that are kept for the whole run, including reports inside other
  /// reports. The newest report is kept even if it alone exceeds this number.
  static let most = 1_000

  /// The reports, in the order in which their runs ended.
  private var entries: [Entry] = []
  private var counts: [Int: Int] = [:]
  private var droppedCounts: [Int: Int] = [:]

  /// The number of reports, including reports inside other reports.
  private(set) var weight = 0

  func reports(of pebble: Int) -> [Report] {
    entries.lazy.filter { $0.pebble == pebble }.map(\.report)
  }

  func droppedCount(of pebble: Int) -> Int { droppedCounts[pebble] ?? 0 }

  /// Adds a report. If the pebble or the run then has too many reports, removes the oldest ones.
  ///
  /// - Returns: The removed reports, to be released outside of any lock.
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
