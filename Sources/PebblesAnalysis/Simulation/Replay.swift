import Pebbles

/// A replay of a recorded run. It settles all pebbles again in the recorded order, to reconstruct
/// the engine's final state. Bodies end at their recorded times. Bodies that end at the same time
/// are ordered by dependency, then by start, then by definition order. If threads reached a
/// condition in an order that differs from the order of the recorded times, the record states which
/// operand decided the condition; see ``RecordedRun/deciders``.
///
/// A record may be damaged or fabricated. The replay trusts only the outcomes and cases of bodies,
/// and the skips that do not follow from conditions. These are the skips of pebbles that were
/// disabled, not asked for, cancelled, or kept waiting for a resource or a service. Everything else
/// must agree with the replay.
package struct Replay {
  package let run: RecordedRun

  /// The record of the run in flat arrays.
  package let records: FlatRecords

  /// The final state of the run.
  package let state: ReadinessState

  /// The order in which the pebbles settled.
  package private(set) var order: SettleOrder

  /// Replays a recorded run.
  ///
  /// - Throws: ``RecordingError`` if pebbles cannot have ended as recorded, given their conditions.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, plus
  ///   O(pebbles + atoms) each time that stalled pebbles are skipped.
  package init(_ run: RecordedRun) throws(RecordingError) {
    let records = FlatRecords(run)
    var simulator = ReplaySimulator(run, records)
    simulator.simulate()
    self.run = run
    self.records = records
    state = simulator.state
    order = simulator.order
    if let firstFault { throw firstFault }
    guard !run.deciders.isEmpty else { return }
    state.note(run.deciders, among: run.model.pond.operands) { pebble, cause in
      guard let cause else { return run.pebbles[pebble].decidedBy == nil }
      let decided = records.hasRun(pebble) ? records.started[pebble] : records.finished[pebble]
      return records.finished[cause] <= decided
        && run.pebbles[pebble].decidedBy ?? cause == cause
    }
    order = DecisionOrder(order, decisionHistory()).settling(order)
  }

  /// Creates the replay of a run that has just been simulated, without replaying it.
  ///
  /// - Parameters:
  ///   - run: The record of a run.
  ///   - state: The final state of the same run, with the order in which the pebbles settled.
  init(of run: RecordedRun, _ state: ReadinessState) {
    self.run = run
    self.state = state
    records = FlatRecords(run)
    order = state.settleLog?.order ?? SettleOrder(pebbles: [])
  }

  /// Returns the history of decisions. For each condition, the history contains the pebbles that
  /// actually decided it.
  package func decisionHistory() -> DecisionHistory {
    DecisionHistory(state, run.model.pond.operands)
  }

  /// The error for the first pebble, in settling order, that did not end as recorded; `nil` if all
  /// pebbles ended as recorded.
  private var firstFault: RecordingError? {
    let wrong = run.pebbles.indices.filter { state.status(of: $0) != records.statuses[$0] }
    let first = wrong.min { order.pebbles[$0] < order.pebbles[$1] }
    return first.map { pebble in
      let name = run.model.pond.graph.names[pebble].shortName
      return RecordingError(
        pebble: pebble,
        description: "\(name) cannot have ended as recorded: the record says that it "
          + "\(run.pebbles[pebble].outcome.clause), but \(state.status(of: pebble).consequence)")
    }
  }
}

private struct ReplaySimulator {
  let run: RecordedRun
  let records: FlatRecords
  private var driver: ReadinessDriver
  private var running = BinaryHeap<RunningBody>()

  /// The pebbles that became ready but never started, because of a resource that was not released
  /// or a service that stayed down.
  private var keptWaiting: [Int] = []

  private var now: UInt64 = 0

  init(_ run: RecordedRun, _ records: FlatRecords) {
    func pebbles(_ status: PebbleStatus) -> [Int] {
      records.statuses.indices.filter { records.statuses[$0] == status }
    }
    self.run = run
    self.records = records
    driver = ReadinessDriver(
      ReadinessState(
        run.model.pond.network, goal: run.model.pond.goal(in: run.subset), ordersSettling: true),
      knowing: KnownOutcomes(
        disabled: pebbles(.skippedAsDisabled).map(UInt32.init),
        notAskedFor: pebbles(.skippedAsNotAskedFor).map(UInt32.init)),
      withholding: Set(run.cancellation == nil ? [] : pebbles(.skippedByCancellation)))
  }

  var state: ReadinessState { driver.state }

  /// The order in which the pebbles settled, with a position for every pebble.
  var order: SettleOrder { state.settleLog?.order ?? SettleOrder(pebbles: []) }

  mutating func simulate() {
    startReady()
    while !driver.isFinished {
      if let next = running.popMin() {
        end(next)
      } else {
        settleAtRest()
      }
      startReady()
    }
  }

  private mutating func startReady() {
    while let pebble = driver.takeReady() {
      if records.statuses[pebble] == .skippedByHolder { keptWaiting.append(pebble) }
      // A pebble that is recorded as skipped stays waiting; the comparison at the end finds it.
      guard records.hasRun(pebble) else { continue }
      let started = records.started[pebble]
      driver.start(pebble, at: started)
      running.insert(
        RunningBody(finished: records.finished[pebble], started: started, pebble: pebble))
    }
  }

  private mutating func end(_ body: RunningBody) {
    now = max(now, body.finished)
    driver.end(
      body.pebble, succeeded: records.statuses[body.pebble] == .succeeded,
      cases: records.cases[body.pebble] ?? CaseSet(), at: now)
  }

  private mutating func settleAtRest() {
    let before = driver.settledCount
    skipKeptWaiting()
    guard driver.settledCount == before else { return }
    // When no stall is left, the remaining pebbles were cancelled.
    now = max(now, nextStall ?? run.makespan.nanoseconds)
    driver.settleAtRest(run.model.pond.operands, at: now)
  }

  /// The recorded time of the next stall; `nil` if no recorded stall is left.
  private var nextStall: UInt64? {
    let stalled = records.statuses.indices.filter {
      records.statuses[$0] == .skippedByStall && state.status(of: $0) == .waiting
    }
    return stalled.map { records.finished[$0] }.min()
  }

  /// Skips the pebbles in `keptWaiting`. As in the recorded run, this happens when nothing else is
  /// left to do.
  private mutating func skipKeptWaiting() {
    for pebble in keptWaiting {
      guard let holder = run.pebbles[pebble].decidedBy else { continue }
      driver.holderStuck(holder, heldFrom: pebble, at: now)
    }
    keptWaiting = []
  }
}

// MARK: Comparing the record with the replay

extension PebbleStatus {
  /// The outcome of the pebble in the replay, worded to follow "but" in a sentence:
  /// `"it was disabled"`.
  fileprivate var consequence: String {
    switch self {
    case .waiting, .running, .succeeded, .failed: "its condition was true"
    case .skippedByCancellation: "its condition was not false"
    case .skippedByCondition: "its condition was false"
    case .skippedByStall: "it waited for itself, perhaps through others"
    case .skippedAsDisabled: "it was disabled"
    case .skippedAsNotAskedFor: "it was not asked for"
    case .skippedByHolder: "a resource of it was held"
    }
  }
}

extension RecordedOutcome {
  fileprivate var clause: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped(let reason): reason.clause
    }
  }
}

extension SkipReason {
  fileprivate var clause: String {
    switch self {
    case .conditionFalse: "was skipped because of its condition"
    case .stalled: "was skipped in a stall"
    case .cancelled: "was skipped by cancellation"
    case .disabled: "was disabled"
    case .notAskedFor: "was not asked for"
    case .resourceHeld: "was skipped because of a resource"
    case .notInRun: "was not in the run"
    }
  }
}
