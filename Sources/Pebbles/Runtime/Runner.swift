/// Awaits bodies inline, one after another, for as long as there is something to take.
struct Runner: ~Copyable {
  private let dispatcher: Dispatcher
  private let storage: RunStorage
  private var decisions = Decisions()

  init(_ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    storage = dispatcher.storage
  }

  /// The first runner of a run.
  consuming func begin() async {
    storage.state.begin(into: &decisions)
    evaluatePredicates(at: 0)
    share(decisions.ready[...])
    decisions.ready.removeAll(keepingCapacity: true)
    await work()
  }

  /// A runner summoned as the spare.
  consuming func arrive() async {
    dispatcher.crew.spareArrived()
    await work()
  }

  private consuming func work() async {
    repeat {
      await runPebbles()
      dispatcher.noteSettled(decisions.settledCount)
      decisions.settledCount = 0
    } while dispatcher.crew.leave() && dispatcher.settleAtRest(&decisions)
  }

  private mutating func runPebbles() async {
    guard var pebble = dispatcher.queue.take() else { return }
    var now = dispatcher.clock.now()
    while !dispatcher.isCancelled {
      if !dispatcher.queue.isEmpty { dispatcher.summonSpare(isUrgent: false) }

      storage.state.pebbleStarted(pebble, at: now)
      let succeeded = await callBody(of: pebble)
      // One reading serves as the end of this pebble and the start of the next.
      now = dispatcher.clock.now()
      storage.state.pebbleFinished(pebble, succeeded: succeeded, at: now, into: &decisions)
      evaluatePredicates(at: now)

      guard let next = takeNext() else { return }
      pebble = next
    }
  }

  /// The first pebble that has just become ready stays with this runner; the others are for all.
  private mutating func takeNext() -> Int? {
    guard let first = decisions.ready.first else { return dispatcher.queue.take() }
    share(decisions.ready.dropFirst())
    decisions.ready.removeAll(keepingCapacity: true)
    return Int(first)
  }

  private func share(_ pebbles: ArraySlice<UInt32>) {
    guard !pebbles.isEmpty else { return }
    dispatcher.queue.append(pebbles)
    dispatcher.summonSpare(isUrgent: true)
  }

  private mutating func evaluatePredicates(at time: UInt64) {
    guard !decisions.predicates.isEmpty else { return }
    dispatcher.predicates.evaluate(&decisions, storage, at: time)
  }

  /// Calls the body and keeps what it returned or threw.
  ///
  /// - Returns: Whether the pebble succeeded.
  @inline(__always)
  private func callBody(of pebble: Int) async -> Bool {
    do {
      switch storage.pond.bodies[pebble] {
      case .plain(let body):
        try await body.call()
      case .wired(let body):
        storage.setPayload(try await body(storage), at: pebble)
      case .callback(let body):
        let completion = CompletionState()
        storage.setCompletion(completion, at: pebble)
        try await completion.outcome(of: body)
      }
      return true
    } catch {
      storage.setPayload(ErrorBox(error), at: pebble)
      return false
    }
  }
}
