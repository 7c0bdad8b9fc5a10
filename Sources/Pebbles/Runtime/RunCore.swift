import Synchronization

/// Runs one pond once: the only place with tasks.
///
/// A few *runners* await bodies inline, one after another. A runner that is about to await a body
/// while more pebbles are ready first makes sure that a *spare* runner is enqueued: if the body
/// suspends, its thread is free for the spare; if not, two runners on two cores share the work.
/// There is never more than one spare, so bodies that do not suspend cost no task at all, and
/// nothing that is ready waits behind a suspended body.
///
/// A runner ends when it finds nothing to take. The last one to end knows the run to be at rest,
/// and either settles a stall, or ends the run.
final class RunCore: Sendable {
  let program: Program
  let options: RunOptions
  let identifier = RunIdentifier()
  let storage: RunStorage
  let clock: RunClock
  let queue: ReadyQueue
  let predicates: PredicateEvaluator
  let events: EventHub
  let failures: FailureWatch
  let services = Services()
  let teardown = Teardown()
  let crew = RunnerCrew()
  let ending = RunEnding()

  /// Whether every body is called with more than an `await`.
  let allNeedAttempts: Bool

  private let outer: Mutex<EnclosingBody?>
  private let grant = Mutex<GrantHold?>(nil)
  private let settledCount = Atomic(0)

  /// When the run was cancelled, in nanoseconds plus one; 0 if it was not.
  private let cancellation = Atomic<UInt64>(0)
  private let reason = Mutex(CancellationReason())

  private struct CancellationReason {
    var known: RunCancellation?
    var isFinal = false
  }

  init(_ program: Program, _ clock: RunClock, _ options: RunOptions) {
    self.program = program
    self.options = options
    self.clock = clock
    storage = RunStorage(program.pond, ordersSettling: program.canBeTornDown)
    queue = ReadyQueue(
      program.pond.network, holdsInitial: !program.hasActivations,
      program.admission(learningFrom: options.durations))
    predicates = PredicateEvaluator(program.pond.predicates)
    events = EventHub(history: options.eventHistory)
    failures = FailureWatch(program.pondOptions.onFailure)
    allNeedAttempts = options.deadline != nil || !program.pondOptions.around.isEmpty
    outer = Mutex(EnclosingBody.current)
  }

  /// Where the run was started, if that was inside of another one; `nil` once it has ended.
  var parent: EnclosingBody? { outer.withLock { $0 } }

  func report(at end: RunEnd) -> Report { Report(storage, identifier, end) }

  var isCancelled: Bool { cancellation.load(ordering: .relaxed) != 0 }

  func start(holding grant: (any BackgroundGrant)? = nil) {
    guard let grant else {
      return crew.enlist(self) { await Runner(self, $0, $1).begin() }
    }
    let hold = GrantHold(grant, named: program.pond.graph.pondName) {
      self.cancel(.backgroundTimeExpired)
    }
    self.grant.withLock { $0 = hold }
    crew.enlist(self) {
      await hold.begin()
      await Runner(self, $0, $1).begin()
    }
  }

  /// Starts nothing more and cancels what runs. Calls after the first, or the end, do nothing.
  func cancel(_ newReason: RunCancellation, at time: UInt64? = nil) {
    // Out here, because the clock is the user's.
    let now = time ?? clock.now()
    let isFirst = reason.withLock { reason in
      guard reason.known == nil, !reason.isFinal else { return false }
      reason.known = newReason
      // In here, so that whoever sees the time finds the reason as well.
      cancellation.store(now == .max ? now : now + 1, ordering: .releasing)
      return true
    }
    if isFirst { crew.cancel() }
  }

  /// Whether the body of a pebble is called with more than an `await`.
  func needsAttempts(_ pebble: Int) -> Bool {
    allNeedAttempts || program.options[UInt32(pebble)]?.needsAttempts == true
  }

  /// Sends a spare runner on its way unless one is.
  ///
  /// - Parameter isUrgent: Whether the caller has just added to the queue. If so a spare on its way
  ///   counts only if it is sure to see that; if not, whoever added has seen to it already.
  func summonSpare(isUrgent: Bool) {
    if crew.reserveSpare(isUrgent: isUrgent) {
      crew.enlist(self) { await Runner(self, $0, $1).arrive() }
    }
  }

  /// Puts a runner with a task of its own in the place of one at work.
  func replaceRunner() {
    crew.enlist(self) { await Runner(self, $0, $1).work() }
  }

  func noteSettled(_ count: Int) {
    settledCount.add(count, ordering: .relaxed)
  }

  /// The run is at rest: settles what is left, or ends the run.
  ///
  /// - Returns: Whether something became ready and is in the queue; the caller is then a runner
  ///   again.
  func settleAtRest(_ decisions: inout Decisions) -> Bool {
    let state = storage.state
    let now = clock.now()
    while settledCount.load(ordering: .relaxed) < state.network.pebbleCount {
      decisions.listsSkipped = isObserved
      if isCancelled {
        state.cancelRemaining(at: cancellationTime, into: &decisions)
      } else {
        state.resolveStall(storage.pond.operands, at: now, into: &decisions)
        noteStall(decisions, at: now)
        predicates.evaluate(&decisions, storage, at: now)
      }
      noteDecisions(&decisions, at: now)
      let isReady = !decisions.ready.isEmpty
      precondition(isReady || decisions.settledCount > 0, "a stall was not resolved")
      noteSettled(decisions.settledCount)
      decisions.settledCount = 0
      guard isReady else { continue }
      crew.resume()
      queue.append(decisions.ready[...])
      summonSpare(isUrgent: true)
      decisions.ready.removeAll(keepingCapacity: true)
      return true
    }
    crew.runEnded()
    let cancellation = reason.withLock { reason in
      reason.isFinal = true
      return reason.known
    }
    let end = RunEnd(
      time: isCancelled ? max(now, cancellationTime) : now, cancellation: cancellation)
    note(.runEnded(isCancelled: isCancelled), at: end.time)
    if isCancelled, program.canBeTornDown {
      // Nobody is to see the end before what had come up is gone.
      Task(on: options.executor) { [self] in
        _ = await teardown.perform(self)
        runEnded(end)
      }
    } else {
      // In this order: a service that ends meanwhile looks at both the other way round.
      runEnded(end)
      if services.isEmpty { events.finish() }
    }
    return false
  }

  private func runEnded(_ end: RunEnd) {
    // Let go of: a body may return the run that it has started, and each would keep the other.
    if let parent = outer.withLock({ $0.take() }) {
      parent.core.storage.addNested(self.report(at: end), at: parent.pebble)
    }
    grant.withLock { $0 }?.runEnded()
    ending.runEnded(end)
  }

  private var cancellationTime: UInt64 { cancellation.load(ordering: .relaxed) - 1 }
}
