import Pebbles

/// A table of the times of a recorded run. The table also contains the last pebble that each pebble
/// waited for, which either decided its condition or released a resource.
struct TimingTable {
  let times: RunTimes
  let waits: WaitTable

  /// The pebbles whose bodies were the last to end before a stall, keyed by the pebbles decided in
  /// that stall.
  private var lastBodiesBeforeStalls: [Int: Int] = [:]

  private let state: ReadinessState

  /// Creates the table of a replayed run.
  ///
  /// - Complexity: O(pebbles + atoms), plus the time to sort the pebbles that use limited
  ///   resources.
  init(_ replay: Replay, mainActor: Set<Int>) {
    times = RunTimes(replay)
    waits = WaitTable(replay, times, mainActor: mainActor)
    state = replay.state
    findLastBodiesBeforeStalls()
  }

  /// Returns the time in nanoseconds at which a body began to work. If the body had to wait for the
  /// main actor after its call, this is the time at which the previous holder of the main actor
  /// ended.
  func workBegin(_ pebble: Int) -> UInt64 {
    let holder = waits.holders[pebble]
    return holder < 0 ? times.started[pebble] : times.finished[holder]
  }

  func work(_ pebble: Int) -> UInt64 { times.finished[pebble] - workBegin(pebble) }

  /// Returns the last wait of a pebble, together with the awaited pebble; `nil` if the pebble did
  /// not wait for another pebble. The awaited pebble always settled before the waiting pebble, so
  /// even a record that contradicts itself does not lead to a cycle.
  func wait(of pebble: Int) -> (kind: CriticalWait, pebble: Int)? {
    latestWait(of: pebble).flatMap { times.isSettledEarlier($0.pebble, pebble) ? $0 : nil }
  }

  private func latestWait(of pebble: Int) -> (kind: CriticalWait, pebble: Int)? {
    if waits.holders[pebble] >= 0 { return (.mainActor, waits.holders[pebble]) }
    let enabler = enabler(of: pebble)
    let giver = waits.givers[pebble]
    if giver >= 0, enabler.map({ times.isSettledEarlier($0.pebble, giver) }) ?? true {
      return (waits.mainActorWaiters.contains(pebble) ? .mainActor : .limit, giver)
    }
    return enabler
  }

  /// Returns the pebble that decided another pebble's condition when it settled. If a stall decided
  /// the condition, returns the pebble whose body was the last to end before the stall. Returns
  /// `nil` if there is no such pebble.
  func enabler(of pebble: Int) -> (kind: CriticalWait, pebble: Int)? {
    if isDecidedInStall(pebble) { return lastBodiesBeforeStalls[pebble].map { (.stall, $0) } }
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

  private mutating func findLastBodiesBeforeStalls() {
    guard times.finished.indices.contains(where: isDecidedInStall) else { return }
    var last: Int?
    for pebble in times.settled {
      if isDecidedInStall(pebble), let last { lastBodiesBeforeStalls[pebble] = last }
      guard times.hasRun(pebble) else { continue }
      if last.map({ times.finished[$0] <= times.finished[pebble] }) ?? true { last = pebble }
    }
  }

  /// The last pebble to succeed or fail; `nil` if all pebbles were skipped. Given and kept pebbles
  /// count, although their bodies were not called.
  var lastBody: Int? {
    var last: Int?
    for pebble in times.finished.indices where times.hasRun(pebble) {
      if last.map({ times.isSettledEarlier($0, pebble) }) ?? true { last = pebble }
    }
    return last
  }
}

/// The times and the settling order of a recorded run, in flat arrays indexed by pebble. Times are
/// in nanoseconds.
struct RunTimes {
  /// The times at which the pebbles became ready. For a skipped pebble, `ready`, `started` and
  /// `finished` all hold the time at which the pebble was skipped.
  let ready: [UInt64]
  let started: [UInt64]
  let finished: [UInt64]

  /// The pebbles' places in the settling order, starting at 1.
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

/// The last wait of each pebble in a run, in flat arrays indexed by pebble. Following the waits
/// from pebble to pebble yields the longest chain to any pebble.
package struct LastWaits: Sendable {
  /// The positions of the pebbles that were awaited last, indexed by the waiting pebble; -1 for a
  /// pebble that waited for no other pebble.
  package let awaited: [Int]

  /// The kinds of the pebbles' last waits, indexed by pebble.
  package let kinds: [CriticalWait]

  /// The position of the last pebble to succeed or fail; `nil` if all pebbles were skipped. Given
  /// and kept pebbles count, although their bodies were not called.
  package let last: Int?
}

extension RecordedRun {
  /// Returns the last wait of each pebble.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  package func lastWaits() throws(RecordingError) -> LastWaits {
    let table = TimingTable(try Replay(self), mainActor: [])
    let waits = pebbles.indices.map(table.wait)
    return LastWaits(
      awaited: waits.map { $0?.pebble ?? -1 }, kinds: waits.map { $0?.kind ?? .start },
      last: table.lastBody)
  }
}
