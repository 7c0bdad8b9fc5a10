/// Awaits bodies inline, one after another, for as long as there is something to take.
///
/// Runners share the dispatcher, and two cores that count references on one object slow each other
/// down. So a runner keeps what it needs for every pebble in fields of its own, retained once.
struct Runner: ~Copyable {
  let dispatcher: Dispatcher
  private let storage: RunStorage
  private let state: ReadinessState
  let queue: ReadyQueue
  let crew: RunnerCrew
  private let bodies: StableList<Body>
  private let clock: RunClock
  private let fitness: RunnerFitness
  private var decisions = Decisions()

  init(_ dispatcher: Dispatcher, _ fitness: RunnerFitness) {
    self.dispatcher = dispatcher
    storage = dispatcher.storage
    state = dispatcher.storage.state
    queue = dispatcher.queue
    crew = dispatcher.crew
    bodies = dispatcher.program.bodies
    clock = dispatcher.clock
    self.fitness = fitness
  }

  /// The first runner of a run.
  consuming func begin() async {
    state.begin(into: &decisions)
    evaluatePredicates(at: 0)
    share(decisions.ready[...])
    decisions.ready.removeAll(keepingCapacity: true)
    await work()
  }

  /// A runner summoned as the spare.
  consuming func arrive() async {
    if await standBy() { await work() }
  }

  /// A runner that counts as at work.
  consuming func work() async {
    var isAtWork = true
    while isAtWork {
      let isReplaced = await runPebbles()
      dispatcher.noteSettled(decisions.settledCount)
      decisions.settledCount = 0
      if isReplaced {
        return dispatcher.replaceRunner()
      } else if crew.leave() {
        isAtWork = dispatcher.settleAtRest(&decisions)
      } else {
        isAtWork = crew.reserveSpare(isUrgent: true)
        if isAtWork { isAtWork = await standBy() }
      }
    }
  }

  /// Runs pebbles until there is none to take.
  ///
  /// - Returns: Whether the task of this runner has become unfit for bodies, and another one is to
  ///   take its place.
  nonisolated(nonsending) private mutating func runPebbles() async -> Bool {
    guard var pebble = queue.take() else { return false }
    var time = clock.now()
    while !dispatcher.isCancelled {
      if !queue.isEmpty { dispatcher.summonSpare(isUrgent: false) }

      state.pebbleStarted(pebble, at: max(time, state.enabled(pebble)))
      let succeeded = await callBody(of: pebble)
      // One reading serves as the end of this pebble and the start of the next.
      time = clock.now()
      state.pebbleFinished(pebble, succeeded: succeeded, at: time, into: &decisions)
      if !decisions.predicates.isEmpty { evaluatePredicates(at: time) }

      // A body that cancels its own task must not cancel those that come after it.
      if fitness.isUnfit, !dispatcher.isCancelled {
        share(decisions.ready[...])
        decisions.ready.removeAll()
        return true
      }
      guard let next = takeNext() else { return false }
      pebble = next
    }
    return false
  }

  /// The first pebble that has just become ready stays with this runner; the others are for all.
  @inline(__always)
  private mutating func takeNext() -> Int? {
    if decisions.ready.count > 1 {
      share(decisions.ready.dropFirst())
      decisions.ready.removeLast(decisions.ready.count - 1)
    }
    return decisions.ready.popLast().map(Int.init) ?? queue.take()
  }

  private func share(_ pebbles: ArraySlice<UInt32>) {
    guard !pebbles.isEmpty else { return }
    queue.append(pebbles)
    dispatcher.summonSpare(isUrgent: true)
  }

  private mutating func evaluatePredicates(at time: UInt64) {
    dispatcher.predicates.evaluate(&decisions, storage, at: time)
  }

  /// Calls the body and keeps what it returned or threw.
  ///
  /// - Returns: Whether the pebble succeeded.
  @inline(__always)
  nonisolated(nonsending) private func callBody(of pebble: Int) async -> Bool {
    do {
      switch bodies.address(of: pebble).pointee {
      case .plain(let body):
        try await body.call()
      case .wired(let body):
        storage.setPayload(try await body.call(storage), at: pebble)
      case .callback(let callback):
        let completion = CompletionState()
        storage.setCompletion(completion, at: pebble)
        try await completion.outcome(of: callback.body)
      }
      return true
    } catch {
      storage.setPayload(ErrorBox(error), at: pebble)
      return false
    }
  }
}
