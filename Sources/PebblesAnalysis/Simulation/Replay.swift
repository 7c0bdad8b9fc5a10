import Pebbles

/// What the engine knew in a recorded run, found out by letting everything settle once more, in the
/// order in which it did: by the times at which bodies ended; at the same time, what others waited
/// for first, then what had started first, then in definition order.
///
/// Of predicates it is recorded that they held, not when. One counts as having held when a pebble
/// that it helps to decide says to have been decided, and at the latest when all it reads has
/// settled.
///
/// What is recorded may be damaged or made up. All that is taken from it without question is how
/// bodies ended and who was disabled; what follows from that must be what is recorded.
package struct Replay {
  package let run: RecordedRun

  /// How the run stood in the end.
  package let state: ReadinessState

  /// In which order everything settled.
  package let order: SettleOrder

  /// Lets everything settle once more.
  ///
  /// - Throws: ``RecordingError`` if pebbles cannot have ended as recorded, given their conditions.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran; each stall is looked
  ///   into once, as in a real run.
  package init(_ run: RecordedRun) throws(RecordingError) {
    var player = ReplayPlayer(run)
    player.play()
    self.run = run
    state = player.state
    order = player.order
    if let fault = firstFault { throw fault }
  }

  /// Which pebbles really decided which condition.
  ///
  /// - Complexity: O(pebbles + atoms).
  package func enabling() -> Enabling { Enabling(state, run.model.pond.operands, order) }

  /// The first pebble, in the order of settling, that did not end as recorded.
  private var firstFault: RecordingError? {
    let wrong = run.pebbles.indices.filter { !state.status(of: $0).agrees(with: run.pebbles[$0]) }
    let first = wrong.min { order.pebbles[$0] < order.pebbles[$1] }
    return first.map { pebble in
      let name = run.model.pond.graph.names[pebble].shortLiteral
      return RecordingError(
        pebble: pebble,
        description: "\(name) cannot have ended as recorded: the record says that it "
          + "\(run.pebbles[pebble].outcome.clause), but \(state.status(of: pebble).consequence)")
    }
  }
}

private struct ReplayPlayer {
  let run: RecordedRun
  let state: ReadinessState
  private var decisions = Decisions()
  private var running = BinaryHeap<Ending>()
  private var settledCount = 0
  private var now: UInt64 = 0

  /// The predicates that held in the end.
  private let heldPredicates: Set<Int>

  /// By pebble, those whose conditions it decided; for -1 those decided without anybody. Only for
  /// runs with predicates.
  private var decided: [Int: [Int]] = [:]

  /// What each predicate can help to decide, found when first asked for.
  private var dependents: [Int: Set<Int>] = [:]

  /// A body that ran. The one that ended first is the least.
  private struct Ending: Comparable {
    let finished: UInt64
    let started: UInt64
    let pebble: Int

    static func < (one: Ending, other: Ending) -> Bool {
      (one.finished, one.started, one.pebble) < (other.finished, other.started, other.pebble)
    }
  }

  init(_ run: RecordedRun) {
    self.run = run
    state = ReadinessState(run.model.pond.network, ordersSettling: true)
    heldPredicates = Set(run.heldPredicates)
    guard !heldPredicates.isEmpty else { return }
    for (pebble, record) in run.pebbles.enumerated() {
      decided[record.decidedBy ?? -1, default: []].append(pebble)
    }
  }

  /// Every pebble and every predicate that held has a position in it.
  var order: SettleOrder { state.settleLog?.order ?? SettleOrder(pebbles: [], predicates: []) }

  mutating func play() {
    begin()
    while settledCount < run.pebbles.count {
      if let next = running.popMin() {
        settle(next)
      } else {
        settleAtRest()
      }
      takeNote()
    }
  }

  private mutating func begin() {
    let disabled = run.pebbles.indices.filter { run.pebbles[$0].outcome == .skipped(.disabled) }
    state.disable(disabled.map(UInt32.init), into: &decisions)
    state.begin(into: &decisions)
    let initial = run.model.pond.network.initiallyReady
    for place in 0..<initial.count where state.status(of: Int(initial[place])) == .waiting {
      decisions.ready.append(initial[place])
    }
    takeNote()
  }

  private mutating func settle(_ ending: Ending) {
    let pebble = ending.pebble
    now = max(now, ending.finished)
    state.pebbleStarted(pebble, at: ending.started)
    state.pebbleFinished(
      pebble, succeeded: run.pebbles[pebble].outcome == .succeeded, at: now, into: &decisions)
  }

  private mutating func settleAtRest() {
    let before = settledCount
    // Cancelled is all that is left at once, or nothing; what had stalled did so before.
    if !isOnlyCancelledLeft {
      state.resolveStall(run.model.pond.operands, at: now, into: &decisions)
      takeNote()
    }
    guard settledCount == before, running.isEmpty else { return }
    state.cancelRemaining(at: max(now, run.makespan.nanoseconds), into: &decisions)
  }

  private var isOnlyCancelledLeft: Bool {
    guard run.cancellation != nil else { return false }
    return run.pebbles.indices.allSatisfy {
      state.status(of: $0).isSettled || run.pebbles[$0].outcome == .skipped(.cancelled)
    }
  }

  private mutating func takeNote() {
    while let request = decisions.predicates.popLast() {
      guard holds(request) else { continue }
      state.predicateHeld(
        Int(request.predicate), cause: request.cause, at: now, into: &decisions)
    }
    settledCount += decisions.settledCount
    decisions.settledCount = 0
    for ready in decisions.ready {
      let pebble = Int(ready)
      let record = run.pebbles[pebble]
      // One that is recorded as skipped is left waiting; the comparison in the end finds it.
      guard record.outcome.isCompleted else { continue }
      running.insert(
        Ending(
          finished: record.finished.nanoseconds, started: record.started?.nanoseconds ?? 0,
          pebble: pebble))
    }
    decisions.ready.removeAll(keepingCapacity: true)
  }
}

// MARK: Predicates

extension ReplayPlayer {
  private mutating func holds(_ request: PredicateRequest) -> Bool {
    let predicate = Int(request.predicate)
    guard heldPredicates.contains(predicate), !state.isHeld(predicate: predicate) else {
      return false
    }
    let reads = run.model.pond.network.predicateReads[predicate]
    if reads.allSatisfy({ state.status(of: Int($0)).isSettled }) { return true }
    let cause = Int(request.cause)
    let decided = decided[cause < run.pebbles.count ? cause : -1, default: []]
    let open = decided.filter {
      state.status(of: $0) == .waiting && state.value(ofGate: $0) == nil
    }
    guard !open.isEmpty else { return false }
    let dependents = dependents[predicate] ?? dependents(of: predicate)
    self.dependents[predicate] = dependents
    return open.contains(where: dependents.contains)
  }

  private func dependents(of predicate: Int) -> Set<Int> {
    let network = run.model.pond.network
    var found: Set<Int> = []
    var pending = [network.row(ofPredicate: predicate)]
    while let row = pending.popLast() {
      for edge in network.edges(from: row) where found.insert(edge.gate).inserted {
        if edge.gate >= network.pebbleCount { pending.append(edge.gate) }
      }
    }
    return found
  }
}

// MARK: What was recorded, and what follows

extension PebbleStatus {
  fileprivate func agrees(with record: RecordedPebble) -> Bool {
    switch (self, record.outcome) {
    case (.succeeded, .succeeded), (.failed, .failed),
      (.skippedByCondition, .skipped(.conditionFalse)), (.skippedByStall, .skipped(.stalled)),
      (.skippedByPredicate, .skipped(.predicateNeverHeld)),
      (.skippedByCancellation, .skipped(.cancelled)), (.skippedAsDisabled, .skipped(.disabled)):
      true
    case (_, .succeeded), (_, .failed), (_, .skipped): false
    }
  }

  /// What became of a pebble when everything settled once more.
  fileprivate var consequence: String {
    switch self {
    case .waiting, .running, .succeeded, .failed: "its condition was true"
    case .skippedByCancellation: "its condition was not false"
    case .skippedByCondition: "its condition was false"
    case .skippedByStall: "it waited for itself, perhaps through others"
    case .skippedByPredicate: "it waited for predicates that never held"
    case .skippedAsDisabled: "it was disabled"
    }
  }
}

extension RecordedOutcome {
  fileprivate var clause: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped(.conditionFalse): "was skipped for its condition"
    case .skipped(.stalled): "was skipped in a stall"
    case .skipped(.predicateNeverHeld): "was skipped because no predicate held"
    case .skipped(.cancelled): "was skipped by cancellation"
    case .skipped(.disabled): "was disabled"
    case .skipped(.notInRun): "was not in the run"
    }
  }
}
