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
final class Dispatcher: Sendable {
  let program: Program
  let storage: RunStorage
  let clock: RunClock
  let queue: ReadyQueue
  let predicates: PredicateEvaluator
  let crew = RunnerCrew()
  let ending = RunEnding()

  private let settledCount = Atomic(0)

  /// When the run was cancelled, in nanoseconds plus one; 0 if it was not.
  private let cancellation = Atomic<UInt64>(0)

  init(_ program: Program, _ clock: RunClock) {
    self.program = program
    self.clock = clock
    storage = RunStorage(program.pond)
    queue = ReadyQueue(program.pond.network)
    predicates = PredicateEvaluator(program.pond.predicates)
  }

  var isCancelled: Bool { cancellation.load(ordering: .relaxed) != 0 }

  func start() {
    crew.enlist { await Runner(self, $0).begin() }
  }

  /// Starts nothing more and cancels what runs. Calls after the first do nothing.
  func cancel() {
    let now = clock.now()
    let (isFirst, _) = cancellation.compareExchange(
      expected: 0, desired: now == .max ? now : now + 1, ordering: .relaxed)
    if isFirst { crew.cancel() }
  }

  /// Sends a spare runner on its way unless one is.
  ///
  /// - Parameter isUrgent: Whether the caller has just added to the queue. If so a spare on its way
  ///   counts only if it is sure to see that; if not, whoever added has seen to it already.
  func summonSpare(isUrgent: Bool) {
    if crew.reserveSpare(isUrgent: isUrgent) { crew.enlist { await Runner(self, $0).arrive() } }
  }

  /// Puts a runner with a task of its own in the place of one at work.
  func replaceRunner() {
    crew.enlist { await Runner(self, $0).work() }
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
      if isCancelled {
        state.cancelRemaining(at: cancellationTime, into: &decisions)
      } else {
        state.resolveStall(storage.pond.operands, at: now, into: &decisions)
        predicates.evaluate(&decisions, storage, at: now)
      }
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
    let end = isCancelled ? max(now, cancellationTime) : now
    ending.runEnded(RunEnding.End(time: end, isCancelled: isCancelled))
    return false
  }

  private var cancellationTime: UInt64 { cancellation.load(ordering: .relaxed) - 1 }
}
