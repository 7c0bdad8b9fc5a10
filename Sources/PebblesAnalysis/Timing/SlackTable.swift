import Pebbles

/// A table with the slack of each pebble in a run: the longest time by which the pebble could have
/// ended later without making the run longer.
///
/// The table is computed in one pass, from the end of the run to its start (Kelley and Walker,
/// *Critical-path planning and scheduling*, 1959). The pass follows the real causes in this run:
/// the first true operand of an OR, all operands of an AND, and the pebbles that released awaited
/// resources. Time spent waiting for anything else, such as a free thread, counts as fixed.
struct SlackTable {
  /// The slack of each pebble, in nanoseconds.
  private(set) var slack: [UInt64]

  private let table: TimingTable

  /// The latest times at which the rows of the network could have been decided without making the
  /// run longer, indexed by row.
  private var latest: [UInt64]

  /// The latest possible end for pebbles that have not been visited yet. A later end would have
  /// delayed a stall and thereby the end of the run.
  private var latestRest: UInt64

  /// Creates a table with the slack of each pebble.
  ///
  /// - Complexity: O(pebbles + atoms).
  init(_ table: TimingTable, _ replay: Replay) {
    let history = replay.decisionHistory()
    self.table = table
    let times = table.times
    let end = table.lastBody.map { times.finished[$0] } ?? times.finished.max() ?? 0
    slack = Array(repeating: 0, count: times.finished.count)
    latest = Array(repeating: end, count: history.state.network.rowCount)
    latestRest = end
    for row in DecisionOrder(replay.order, history).rows.reversed() {
      if row < times.finished.count {
        visit(pebble: row, history)
      } else {
        for decider in history.rows(deciding: row) { lower(decider, to: latest[row]) }
      }
    }
  }

  /// Computes the slack of a pebble. Everything that waited for the pebble must already have been
  /// visited.
  private mutating func visit(pebble: Int, _ history: DecisionHistory) {
    let finish = min(latest[pebble], latestRest)
    slack[pebble] = finish.subtractingSaturated(table.times.finished[pebble])
    let workBegin = finish.subtractingSaturated(table.work(pebble))
    let (holder, giver) = (table.waits.holders[pebble], table.waits.givers[pebble])
    if holder >= 0 { lower(holder, to: workBegin) }

    let enabler = table.enabler(of: pebble)?.pebble
    let enabled = max(
      enabler.map { table.times.finished[$0] } ?? 0, giver < 0 ? 0 : table.times.finished[giver])
    let delay = table.times.started[pebble].subtractingSaturated(enabled)
    let ready = workBegin.subtractingSaturated(delay)
    if giver >= 0 { lower(giver, to: ready) }
    if table.isDecidedInStall(pebble) {
      latestRest = min(latestRest, ready)
    } else {
      for decider in history.rows(deciding: pebble) { lower(decider, to: ready) }
    }
  }

  private mutating func lower(_ row: Int, to time: UInt64) {
    latest[row] = min(latest[row], time)
  }
}
