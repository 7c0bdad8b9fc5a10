/// Awaits bodies inline, one after another, for as long as there is something to take.
///
/// Runners share the dispatcher, and two cores that count references on one object slow each other
/// down. So a runner keeps what it needs for every pebble in fields of its own, retained once.
struct Runner: ~Copyable {
  private let dispatcher: Dispatcher
  private let storage: RunStorage
  private let state: ReadinessState
  private let queue: ReadyQueue
  private let crew: RunnerCrew
  private let bodies: UnsafeMutablePointer<Body>
  private let clock: RunClock
  private var decisions = Decisions()

  init(_ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    storage = dispatcher.storage
    state = dispatcher.storage.state
    queue = dispatcher.queue
    crew = dispatcher.crew
    bodies = dispatcher.storage.pond.bodies.elements
    clock = dispatcher.clock
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
    if standBy() { await work() }
  }

  private consuming func work() async {
    var isAtWork = true
    while isAtWork {
      await runPebbles()
      dispatcher.noteSettled(decisions.settledCount)
      decisions.settledCount = 0
      if crew.leave() {
        isAtWork = dispatcher.settleAtRest(&decisions)
      } else {
        isAtWork = crew.reserveSpare(isUrgent: true) && standBy()
      }
    }
  }

  /// Waits, for some microseconds, for work that is worth a second runner.
  ///
  /// With tiny bodies, taking a pebble from under the hands of the runner that has just made it
  /// ready costs both more than running it. So the spare goes to work only when pebbles wait and
  /// the others take few of them between two of its looks: because their bodies are worth sharing,
  /// or suspended. And making a task for a new spare costs as much as ten tiny bodies, so it does
  /// not leave at once.
  ///
  /// - Returns: Whether it is now at work.
  private func standBy() -> Bool {
    var lastFront: Int?
    while true {
      var idleLooks = 0
      while idleLooks < Self.mostIdleLooks {
        if crew.isOver { return false }
        let front = queue.front
        let isSlow = lastFront.map { front - $0 < Self.briskPace } ?? false
        if isSlow, !queue.isEmpty, crew.join() {
          crew.releaseSpare()
          return true
        }
        idleLooks = front == lastFront ? idleLooks + 1 : 0
        lastFront = front
        RunClock.pause()
      }
      crew.releaseSpare()
      guard !queue.isEmpty, crew.reserveSpare(isUrgent: true) else { return false }
    }
  }

  private static let mostIdleLooks = 24

  /// How many pebbles other runners take between two looks when bodies are too small to share.
  private static let briskPace = 5

  private mutating func runPebbles() async {
    guard var pebble = queue.take() else { return }
    var time = clock.now()
    while !dispatcher.isCancelled {
      if !queue.isEmpty { dispatcher.summonSpare(isUrgent: false) }

      state.pebbleStarted(pebble, at: time)
      let succeeded = await callBody(of: pebble)
      // One reading serves as the end of this pebble and the start of the next.
      time = clock.now()
      state.pebbleFinished(pebble, succeeded: succeeded, at: time, into: &decisions)
      if !decisions.predicates.isEmpty { evaluatePredicates(at: time) }

      guard let next = takeNext() else { return }
      pebble = next
    }
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
