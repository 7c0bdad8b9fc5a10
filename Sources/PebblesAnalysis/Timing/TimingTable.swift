import Pebbles

/// The times of a recorded run, what each pebble waited for, and how much later each could have
/// ended without making the run longer.
///
/// The last is found by a pass from the end of the run to its start (Kelley and Walker,
/// *Critical-path planning and scheduling*, 1959) over what really enabled what in this run: of an
/// OR the first true branch alone, of an AND all operands, and the pebbles that gave back what
/// others waited for. Time that passed without anybody being waited for, before a runner was there
/// perhaps, counts as fixed.
struct TimingTable {
  let times: RunTimes
  let waits: WaitTable

  /// By pebble, in nanoseconds.
  private(set) var slack: [UInt64]

  /// When the last body ended.
  let end: UInt64

  /// By pebble, the last body to end before the stall that decided it; -1 if none did.
  private var restBodies: [Int: Int] = [:]

  private let state: ReadinessState

  /// - Complexity: O(pebbles + atoms), and sorting those that use limited resources.
  init(_ replay: Replay, mainActor: Set<Int>) {
    let times = RunTimes(replay)
    self.times = times
    waits = WaitTable(replay, times, mainActor: mainActor)
    state = replay.state
    let bodies = times.finished.indices.lazy.filter { times.hasRun[$0] }
    end = bodies.map { times.finished[$0] }.max() ?? times.finished.max() ?? 0
    slack = Array(repeating: 0, count: times.finished.count)

    let enabling = replay.enabling()
    let rows = enabling.decidedRows()
    findRests(rows)
    findSlack(rows, enabling)
  }

  /// When the body of a pebble was at work, as far as can be told: not while another one had the
  /// main actor.
  func workBegin(_ pebble: Int) -> UInt64 {
    let holder = waits.holders[pebble]
    return holder < 0 ? times.started[pebble] : times.finished[holder]
  }

  func work(_ pebble: Int) -> UInt64 { times.finished[pebble] - workBegin(pebble) }

  /// What a pebble waited for last.
  func wait(of pebble: Int) -> (kind: WaitKind, pebble: Int)? {
    if waits.holders[pebble] >= 0 { return (.mainActor, waits.holders[pebble]) }
    let enabler = enabler(of: pebble)
    let giver = waits.givers[pebble]
    if giver >= 0, enabler.map({ times.isSettledEarlier($0.pebble, giver) }) ?? true {
      return (waits.mainActorWaiters.contains(pebble) ? .mainActor : .limit, giver)
    }
    return enabler
  }

  /// The pebble whose settling decided the condition.
  private func enabler(of pebble: Int) -> (kind: WaitKind, pebble: Int)? {
    if isDecidedInStall(pebble) {
      return restBodies[pebble].map { (.stall, $0) }
    }
    return state.cause(of: pebble).map { (.dependency, $0) }
  }

  private func isDecidedInStall(_ pebble: Int) -> Bool {
    switch state.status(of: pebble) {
    case .skippedByStall, .skippedByPredicate: true
    case .succeeded, .failed: state.readyInStall[UInt32(pebble)] != nil
    case .waiting, .running, .skippedByCondition, .skippedByCancellation, .skippedAsDisabled: false
    }
  }

  private mutating func findRests(_ rows: [Int]) {
    var last: Int?
    for row in rows where row < times.finished.count {
      if isDecidedInStall(row), let last { restBodies[row] = last }
      if times.hasRun[row], last.map({ times.finished[$0] <= times.finished[row] }) ?? true {
        last = row
      }
    }
  }

  private mutating func findSlack(_ rows: [Int], _ enabling: Enabling) {
    // By row, when it had to be decided at the latest; and the same for all that ended before a
    // stall that something came of.
    var latest = [UInt64](repeating: end, count: state.network.rowCount)
    var latestRest = end
    for row in rows.reversed() {
      guard row < times.finished.count else {
        for decider in enabling.rows(deciding: row) {
          latest[decider] = min(latest[decider], latest[row])
        }
        continue
      }
      let finish = min(latest[row], latestRest)
      slack[row] = finish.subtractingToZero(times.finished[row])
      let workBegin = finish.subtractingToZero(work(row))
      if waits.holders[row] >= 0 {
        latest[waits.holders[row]] = min(latest[waits.holders[row]], workBegin)
      }
      let giver = waits.givers[row]
      let enabler = enabler(of: row)?.pebble
      let enabled = max(
        enabler.map { times.finished[$0] } ?? 0, giver < 0 ? 0 : times.finished[giver])
      let ready = workBegin.subtractingToZero(times.started[row].subtractingToZero(enabled))
      if giver >= 0 { latest[giver] = min(latest[giver], ready) }
      if isDecidedInStall(row) {
        latestRest = min(latestRest, ready)
      } else {
        for decider in enabling.rows(deciding: row) {
          latest[decider] = min(latest[decider], ready)
        }
      }
    }
  }
}

/// What somebody can wait for.
enum WaitKind {
  case dependency, limit, mainActor, stall
}

extension UInt64 {
  func subtractingToZero(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
