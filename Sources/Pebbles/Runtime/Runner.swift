/// Awaits bodies inline, one after another, for as long as there is something to take.
///
/// Runners share the dispatcher, and two cores that count references on one object slow each other
/// down. So a runner keeps what it needs for every pebble in fields of its own, retained once.
struct Runner: ~Copyable {
  private let dispatcher: Dispatcher
  private let storage: RunStorage
  private let state: ReadinessState
  private let queue: ReadyQueue
  private let bodies: UnsafeMutablePointer<Body>
  private let now: @Sendable () -> UInt64
  private var decisions = Decisions()

  init(_ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    storage = dispatcher.storage
    state = dispatcher.storage.state
    queue = dispatcher.queue
    bodies = dispatcher.storage.pond.bodies.elements
    now = dispatcher.clock.now
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
    guard var pebble = queue.take() else { return }
    var time = now()
    while !dispatcher.isCancelled {
      if !queue.isEmpty { dispatcher.summonSpare(isUrgent: false) }

      state.pebbleStarted(pebble, at: time)
      let succeeded = await callBody(of: pebble)
      // One reading serves as the end of this pebble and the start of the next.
      time = now()
      state.pebbleFinished(pebble, succeeded: succeeded, at: time, into: &decisions)
      if !decisions.predicates.isEmpty { evaluatePredicates(at: time) }

      guard let next = takeNext() else { return }
      pebble = next
    }
  }

  /// The first pebble that has just become ready stays with this runner; the others are for all.
  @inline(__always)
  private mutating func takeNext() -> Int? {
    if decisions.ready.count > 1 { share(decisions.ready.dropFirst()) }
    guard let first = decisions.ready.first else { return queue.take() }
    decisions.ready.removeLast(decisions.ready.count)
    return Int(first)
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
  private func callBody(of pebble: Int) async -> Bool {
    do {
      switch bodies[pebble] {
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
