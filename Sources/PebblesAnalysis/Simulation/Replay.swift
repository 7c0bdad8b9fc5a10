import Pebbles

/// What the engine knew in a recorded run, found out by letting everything settle once more, in the
/// order in which it did: by the times at which bodies ended; at the same time, what others waited
/// for first, then what had started first, then in definition order. Where runners came in another
/// order than the clock has it, the record says so, see ``RecordedRun/deciders``.
///
/// What is recorded may be damaged or made up. All that is taken from it without question is how
/// bodies ended and who was disabled; what follows from that must be what is recorded.
package struct Replay {
  package let run: RecordedRun

  /// What was recorded of it.
  package let records: FlatRecords

  /// How the run stood in the end.
  package let state: ReadinessState

  /// In which order everything settled.
  package private(set) var order: SettleOrder

  /// Lets everything settle once more.
  ///
  /// - Throws: ``RecordingError`` if pebbles cannot have ended as recorded, given their conditions.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran; each stall is looked
  ///   into once, as in a real run.
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
    order = DecisionOrder(order, enabling()).settling(order)
  }

  /// What has just been simulated needs no finding out.
  ///
  /// - Parameters:
  ///   - run: The record of a run.
  ///   - state: How the same run stands in the end, with its order of settling.
  init(of run: RecordedRun, _ state: ReadinessState) {
    self.run = run
    self.state = state
    records = FlatRecords(run)
    order = state.settleLog?.order ?? SettleOrder(pebbles: [])
  }

  /// Which pebbles really decided which condition.
  package func enabling() -> DecisionHistory { DecisionHistory(state, run.model.pond.operands) }

  /// The first pebble, in the order of settling, that did not end as recorded.
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

  /// Pebbles that are ready and never started, for what late bodies held.
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
        run.model.pond.network, ordersSettling: true,
        asksGoal: run.model.pond.asksGoal(of: run.subset)),
      knowing: KnownOutcomes(
        disabled: pebbles(.skippedAsDisabled).map(UInt32.init),
        notAskedFor: pebbles(.skippedAsNotAskedFor).map(UInt32.init)),
      withholding: Set(run.cancellation == nil ? [] : pebbles(.skippedByCancellation)))
  }

  var state: ReadinessState { driver.state }

  /// Every pebble has a position in it.
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
      // One that is recorded as skipped is left waiting; the comparison in the end finds it.
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
    // What is left when nothing stalls any more was cancelled.
    now = max(now, nextStall ?? run.makespan.nanoseconds)
    driver.settleAtRest(run.model.pond.operands, at: now)
  }

  /// When the next of those stalled that did; `nil` if all have.
  private var nextStall: UInt64? {
    let stalled = records.statuses.indices.filter {
      records.statuses[$0] == .skippedByStall && state.status(of: $0) == .waiting
    }
    return stalled.map { records.finished[$0] }.min()
  }

  /// Skips those that waited for what late bodies held, as the run did when it was at rest.
  private mutating func skipKeptWaiting() {
    for pebble in keptWaiting {
      guard let holder = run.pebbles[pebble].decidedBy else { continue }
      driver.holderStuck(holder, heldFrom: pebble, at: now)
    }
    keptWaiting = []
  }
}

// MARK: What was recorded, and what follows

extension PebbleStatus {
  /// What became of a pebble when everything settled once more.
  fileprivate var consequence: String {
    switch self {
    case .waiting, .running, .succeeded, .failed: "its condition was true"
    case .skippedByCancellation: "its condition was not false"
    case .skippedByCondition: "its condition was false"
    case .skippedByStall: "it waited for itself, perhaps through others"
    case .skippedAsDisabled: "it was disabled"
    case .skippedAsNotAskedFor: "it was not asked for"
    case .skippedByHolder: "what it uses was held"
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
    switch kind {
    case .conditionFalse: "was skipped for its condition"
    case .stalled: "was skipped in a stall"
    case .cancelled: "was skipped by cancellation"
    case .disabled: "was disabled"
    case .notAskedFor: "was not asked for"
    case .resourceHeld: "was skipped for what it uses"
    case .notInRun: "was not in the run"
    }
  }
}
