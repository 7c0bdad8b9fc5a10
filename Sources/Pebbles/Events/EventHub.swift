import Synchronization

/// Where a run publishes its events, from any thread, for any number of observers.
///
/// Costs one atomic load per event without an observer, and never waits for an observer. Observers
/// do not keep the hub alive; their iterations end with it.
final class EventHub: Sendable {
  private let board: EventBoard

  /// - Parameter history: How many of the newest events are kept for observers yet to come; none
  ///   if this is 0 or less. Memory grows with what is kept.
  init(history: Int) {
    board = EventBoard(history: history)
  }

  deinit {
    board.finish()
  }

  /// Whether it is worth making events: an observer listens, or a history is kept, and the run has
  /// not ended.
  var hasObservers: Bool { board.isListening }

  /// Delivers an event, or does nothing, not even evaluate it, while ``hasObservers`` is false.
  ///
  /// Events of one thread reach every observer in order; the events of all threads reach all
  /// observers in the same order.
  ///
  /// - Complexity: O(observers).
  func publish(_ event: @autoclosure () -> RunEvent) {
    guard hasObservers else { return }
    board.post(event())
  }

  /// Ends all iterations once they have read what was published. May be called again.
  func finish() {
    board.finish()
  }

  /// Begins to listen.
  ///
  /// - Parameter capacity: How many events are kept at most for an observer that does not take
  ///   them: at least 1, and at least as many as the history keeps.
  /// - Returns: The events of the history, then those published from now on.
  func subscribe(bufferingNewest capacity: Int) -> RunEvents {
    RunEvents(board, bufferingNewest: capacity)
  }
}

/// What an ``EventHub`` and its observers share: the unread events of each observer, and the
/// history.
///
/// One lock guards it all, so that an event and a new observer meet in the same order everywhere:
/// either the event is in the history handed over, or it is delivered. Nothing is resumed under the
/// lock, and no event dies under it: an error in it may run code of the user when it does.
final class EventBoard: Sendable {
  typealias Waiter = CheckedContinuation<RunEvent?, Never>

  /// What is to be done once the lock is released.
  fileprivate struct Consequences {
    var wakeups: [(waiter: Waiter, event: RunEvent?)] = []
    var evicted: [RunEvent] = []

    func perform() {
      for wakeup in wakeups { wakeup.waiter.resume(returning: wakeup.event) }
    }
  }

  /// An observer's. While a task waits here, nothing is unread.
  fileprivate struct Mailbox {
    let observer: Int
    var unread: EventRing
    /// Several only if copies of an iterator are used at once.
    var waiters: [Waiter] = []
  }

  fileprivate struct State {
    var history: EventRing?
    var mailboxes: [Mailbox] = []
    var observersSoFar = 0
    var isFinished = false
  }

  private let state: Mutex<State>

  // Written under the lock. Read without it: who subscribes while an event is published may miss
  // that event, and nothing else depends on the flag.
  private let listening: Atomic<Bool>

  init(history: Int) {
    state = Mutex(State(history: history > 0 ? EventRing(capacity: history) : nil))
    listening = Atomic(history > 0)
  }

  /// Whether an event posted now would reach an observer, or be kept for one.
  var isListening: Bool { listening.load(ordering: .relaxed) }

  func post(_ event: RunEvent) {
    transition { $0.post(event) }
  }

  func finish() {
    transition { $0.finish() }
  }

  /// - Returns: The number by which the board knows the observer.
  func subscribe(bufferingNewest capacity: Int) -> Int {
    state.withLock { state in
      defer { updateListening(state) }
      return state.subscribe(bufferingNewest: capacity)
    }
  }

  /// Ends an observer's iterations and forgets what it has not read. May be called again.
  func unsubscribe(_ observer: Int) {
    let mailbox = state.withLock { state -> Mailbox? in
      defer { updateListening(state) }
      return state.mailbox(of: observer).map { state.mailboxes.remove(at: $0) }
    }
    for waiter in mailbox?.waiters ?? [] { waiter.resume(returning: nil) }
  }

  /// Resumes `waiter` with the observer's next event as soon as there is one, or with `nil` as soon
  /// as it is certain that there will be none.
  func receive(_ observer: Int, _ waiter: Waiter) {
    let reading = state.withLock { $0.receive(observer, waiter) }
    switch reading {
    case .event(let event): waiter.resume(returning: event)
    case .ended: waiter.resume(returning: nil)
    case .notYet: break
    }
  }

  private func transition(_ change: (inout State) -> Consequences) {
    let consequences = state.withLock { state in
      defer { updateListening(state) }
      return change(&state)
    }
    consequences.perform()
  }

  private func updateListening(_ state: borrowing State) {
    let isKept = state.history != nil || !state.mailboxes.isEmpty
    listening.store(isKept && !state.isFinished, ordering: .relaxed)
  }
}

extension EventBoard.State {
  enum Reading {
    case event(RunEvent)
    case ended
    case notYet
  }

  func mailbox(of observer: Int) -> Int? {
    mailboxes.firstIndex { $0.observer == observer }
  }

  mutating func subscribe(bufferingNewest capacity: Int) -> Int {
    var unread = history ?? EventRing(capacity: capacity)
    unread.raiseCapacity(to: capacity)
    observersSoFar += 1
    mailboxes.append(EventBoard.Mailbox(observer: observersSoFar, unread: unread))
    return observersSoFar
  }

  mutating func post(_ event: RunEvent) -> EventBoard.Consequences {
    var consequences = EventBoard.Consequences()
    guard !isFinished else { return consequences }
    if let evicted = history?.append(event) { consequences.evicted.append(evicted) }
    for index in mailboxes.indices {
      if !mailboxes[index].waiters.isEmpty {
        consequences.wakeups.append((mailboxes[index].waiters.removeFirst(), event))
      } else if let evicted = mailboxes[index].unread.append(event) {
        consequences.evicted.append(evicted)
      }
    }
    return consequences
  }

  mutating func finish() -> EventBoard.Consequences {
    var consequences = EventBoard.Consequences()
    isFinished = true
    for index in mailboxes.indices {
      consequences.wakeups += mailboxes[index].waiters.map { ($0, nil) }
      mailboxes[index].waiters = []
    }
    return consequences
  }

  mutating func receive(_ observer: Int, _ waiter: EventBoard.Waiter) -> Reading {
    guard let index = mailbox(of: observer) else { return .ended }
    if let event = mailboxes[index].unread.popFirst() { return .event(event) }
    guard !isFinished else { return .ended }
    mailboxes[index].waiters.append(waiter)
    return .notYet
  }
}
