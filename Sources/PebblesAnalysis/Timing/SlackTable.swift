import Pebbles

/// How much later each pebble of a run could have ended without making the run longer.
///
/// Found by a pass from the end of the run to its start (Kelley and Walker, *Critical-path planning
/// and scheduling*, 1959) over what really enabled what in this run: of an OR the first true branch
/// alone, of an AND all operands, and the pebbles that gave back what others waited for. Time that
/// passed without any pebble being waited for, before a runner was there perhaps, counts as fixed.
struct SlackTable {
  /// By pebble, in nanoseconds.
  private(set) var slack: [UInt64]

  private let table: TimingTable

  /// By row of the network, when it had to be decided at the latest.
  private var latest: [UInt64]

  /// The same for all that ended before a stall that something came of.
  private var latestRest: UInt64

  /// - Complexity: O(pebbles + atoms).
  init(_ table: TimingTable, _ replay: Replay) {
    let enabling = replay.enabling()
    self.table = table
    let times = table.times
    let end = table.lastBody.map { times.finished[$0] } ?? times.finished.max() ?? 0
    slack = Array(repeating: 0, count: times.finished.count)
    latest = Array(repeating: end, count: enabling.state.network.rowCount)
    latestRest = end
    for row in DecisionOrder(replay.order, enabling).rows.reversed() {
      if row < times.finished.count {
        visit(pebble: row, enabling)
      } else {
        for decider in enabling.rows(deciding: row) { lower(decider, to: latest[row]) }
      }
    }
  }

  /// All that waited for the pebble has been visited.
  private mutating func visit(pebble: Int, _ enabling: DecisionHistory) {
    let finish = min(latest[pebble], latestRest)
    slack[pebble] = finish.subtractingToZero(table.times.finished[pebble])
    let workBegin = finish.subtractingToZero(table.work(pebble))
    let (holder, giver) = (table.waits.holders[pebble], table.waits.givers[pebble])
    if holder >= 0 { lower(holder, to: workBegin) }

    let enabler = table.enabler(of: pebble)?.pebble
    let enabled = max(
      enabler.map { table.times.finished[$0] } ?? 0, giver < 0 ? 0 : table.times.finished[giver])
    let ready = workBegin.subtractingToZero(table.times.started[pebble].subtractingToZero(enabled))
    if giver >= 0 { lower(giver, to: ready) }
    if table.isDecidedInStall(pebble) {
      latestRest = min(latestRest, ready)
    } else {
      for decider in enabling.rows(deciding: pebble) { lower(decider, to: ready) }
    }
  }

  private mutating func lower(_ row: Int, to time: UInt64) {
    latest[row] = min(latest[row], time)
  }
}

extension UInt64 {
  func subtractingToZero(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
