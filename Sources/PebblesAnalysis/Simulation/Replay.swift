import Pebbles

/// What the engine knew in a recorded run, found out by letting everything settle once more, in the
/// order in which it did: by the times at which bodies ended; at the same time, what others waited
/// for first, then what had started first, then in definition order.
///
/// Of predicates it is recorded that they held, not when. One counts as having held when a pebble
/// that it helps to decide says to have been decided, and at the latest when all it reads has
/// settled. Whether one held before or after a stall in between may remain open; then whatever fits
/// the record is taken, before it first.
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
    self.init(run, holdsBeforeStalls: true)
    guard let fault = firstFault else { return }
    guard !run.heldPredicates.isEmpty else { throw fault }
    self.init(run, holdsBeforeStalls: false)
    if firstFault != nil { throw fault }
  }

  private init(_ run: RecordedRun, holdsBeforeStalls: Bool) {
    var player = ReplayPlayer(run, holdsBeforeStalls: holdsBeforeStalls)
    player.play()
    self.run = run
    state = player.state
    order = player.order
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

  /// Whether those held before a stall of which it is not known.
  private let holdsBeforeStalls: Bool

  /// By predicate, whose settling asked for its evaluation last.
  private var lastCauses: [Int: UInt32] = [:]

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

  init(_ run: RecordedRun, holdsBeforeStalls: Bool) {
    self.run = run
    self.holdsBeforeStalls = holdsBeforeStalls
    state = ReadinessState(run.model.pond.network, ordersSettling: true)
    let predicates = 0..<run.model.pond.network.predicateCount
    heldPredicates = Set(run.heldPredicates.filter(predicates.contains))
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
    holdPredicatesBeforeStall()
    guard settledCount == before, running.isEmpty else { return }
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
    lastCauses[predicate] = request.cause
    let reads = run.model.pond.network.predicateReads[predicate]
    if reads.allSatisfy({ state.status(of: Int($0)).isSettled }) { return true }
    let cause = Int(request.cause)
    let decided = decided[cause < run.pebbles.count ? cause : -1, default: []]
    let open = decided.filter(isOpen)
    guard !open.isEmpty else { return false }
    let dependents = knownDependents(of: predicate)
    return open.contains(where: dependents.contains)
  }

  private func isOpen(_ pebble: Int) -> Bool {
    state.status(of: pebble) == .waiting && state.value(ofGate: pebble) == nil
  }

  /// Those that are not needed by a pebble decided later by what they read.
  private mutating func holdPredicatesBeforeStall() {
    guard holdsBeforeStalls else { return }
    for predicate in heldPredicates.sorted() where !state.isHeld(predicate: predicate) {
      guard let cause = lastCauses[predicate] else { continue }
      let reads = Set(run.model.pond.network.predicateReads[predicate].map(Int.init))
      let isNeededLater = knownDependents(of: predicate).contains { dependent in
        guard dependent < run.pebbles.count, isOpen(dependent) else { return false }
        let decider = run.pebbles[dependent].decidedBy
        return decider.map { reads.contains($0) && !state.status(of: $0).isSettled } ?? false
      }
      guard !isNeededLater else { continue }
      state.predicateHeld(predicate, cause: cause, at: now, into: &decisions)
    }
    takeNote()
  }

  private mutating func knownDependents(of predicate: Int) -> Set<Int> {
    let found = dependents[predicate] ?? dependents(of: predicate)
    dependents[predicate] = found
    return found
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
