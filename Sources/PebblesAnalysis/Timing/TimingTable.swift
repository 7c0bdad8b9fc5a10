import Pebbles

/// The times of a recorded run, and what each pebble waited for last: the one whose settling
/// decided its condition, or that gave back what it needed.
struct TimingTable {
  let times: RunTimes
  let waits: WaitTable

  /// By pebble, the last body to end before the stall that decided it.
  private var restBodies: [Int: Int] = [:]

  private let state: ReadinessState

  /// What a pebble can wait for.
  enum WaitKind {
    case dependency, limit, mainActor, stall
  }

  /// - Complexity: O(pebbles + atoms), and sorting those that use limited resources.
  init(_ replay: Replay, mainActor: Set<Int>) {
    times = RunTimes(replay)
    waits = WaitTable(replay, times, mainActor: mainActor)
    state = replay.state
    findRests()
  }

  /// When the body of a pebble was at work, as far as can be told: not while another one had the
  /// main actor.
  func workBegin(_ pebble: Int) -> UInt64 {
    let holder = waits.holders[pebble]
    return holder < 0 ? times.started[pebble] : times.finished[holder]
  }

  func work(_ pebble: Int) -> UInt64 { times.finished[pebble] - workBegin(pebble) }

  /// What a pebble waited for last; `nil` if it could start with the run. It has settled before:
  /// a record that says otherwise must not lead round in a cycle.
  func wait(of pebble: Int) -> (kind: WaitKind, pebble: Int)? {
    latestWait(of: pebble).flatMap { times.isSettledEarlier($0.pebble, pebble) ? $0 : nil }
  }

  private func latestWait(of pebble: Int) -> (kind: WaitKind, pebble: Int)? {
    if waits.holders[pebble] >= 0 { return (.mainActor, waits.holders[pebble]) }
    let enabler = enabler(of: pebble)
    let giver = waits.givers[pebble]
    if giver >= 0, enabler.map({ times.isSettledEarlier($0.pebble, giver) }) ?? true {
      return (waits.mainActorWaiters.contains(pebble) ? .mainActor : .limit, giver)
    }
    return enabler
  }

  /// The pebble whose settling decided the condition; for one decided in a stall, the last body
  /// that ended before.
  func enabler(of pebble: Int) -> (kind: WaitKind, pebble: Int)? {
    if isDecidedInStall(pebble) { return restBodies[pebble].map { (.stall, $0) } }
    return state.cause(of: pebble).map { (.dependency, $0) }
  }

  func isDecidedInStall(_ pebble: Int) -> Bool {
    switch state.status(of: pebble) {
    case .skippedByStall: true
    case .waiting, .running, .succeeded, .failed, .skippedByCondition, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      false
    }
  }

  private mutating func findRests() {
    guard times.finished.indices.contains(where: isDecidedInStall) else { return }
    var last: Int?
    for pebble in times.settled {
      if isDecidedInStall(pebble), let last { restBodies[pebble] = last }
      guard times.hasRun(pebble) else { continue }
      if last.map({ times.finished[$0] <= times.finished[pebble] }) ?? true { last = pebble }
    }
  }

  /// The last body to end; `nil` if none ran.
  var lastBody: Int? {
    var last: Int?
    for pebble in times.finished.indices where times.hasRun(pebble) {
      if last.map({ times.isSettledEarlier($0, pebble) }) ?? true { last = pebble }
    }
    return last
  }

  /// The pebbles of the critical path of the run, first to last.
  var criticalPath: [Int] { criticalPath(to: lastBody) }

  /// The pebbles that made one settle as late as it did, first to last, with itself.
  func criticalPath(to last: Int?) -> [Int] {
    var next = last
    var path: [Int] = []
    while let pebble = next {
      path.append(pebble)
      next = wait(of: pebble)?.pebble
    }
    return path.reversed()
  }
}

/// When everything happened in a recorded run, in nanoseconds, and in which order it settled; flat
/// arrays by pebble.
struct RunTimes {
  /// For a skipped pebble all three are the moment when it was skipped.
  let ready: [UInt64]
  let started: [UInt64]
  let finished: [UInt64]

  /// From 1.
  let positions: [UInt32]

  private let records: FlatRecords

  init(_ replay: Replay) {
    records = replay.records
    ready = records.ready
    started = records.started
    finished = records.finished
    positions = replay.order.pebbles
  }

  func hasRun(_ pebble: Int) -> Bool { records.hasRun(pebble) }

  func isSettledEarlier(_ one: Int, _ other: Int) -> Bool {
    (finished[one], positions[one]) < (finished[other], positions[other])
  }

  /// The pebbles in the order in which they settled.
  ///
  /// - Complexity: O(pebbles).
  var settled: [Int] {
    var places = [Int](repeating: -1, count: Int(positions.max() ?? 0) + 1)
    for (pebble, position) in positions.enumerated() { places[Int(position)] = pebble }
    return places.filter { $0 >= 0 }
  }
}
