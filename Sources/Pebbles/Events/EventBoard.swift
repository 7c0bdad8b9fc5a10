import Synchronization

/// The state that an ``EventHub`` shares with its observers: the buffered events, and the position
/// of each observer among them.
///
/// One lock guards all of this state. Therefore, every event is either part of the history that a
/// new observer receives, or delivered to that observer later. While the lock is held, observers
/// are not resumed. Nor are events released, because releasing an event's error may run user code.
final class EventBoard: Sendable {
  typealias Waiter = CheckedContinuation<RunEvent?, Never>

  /// The result of one read by an observer.
  fileprivate enum Reading {
    case event(RunEvent)
    case ended
    case notYet
  }

  /// The maximum number of waiting observers to examine before releasing the lock and yielding the
  /// thread.
  private static let mostWokenAtOnce = 64

  private let state: Mutex<State>
  private let executor: (any TaskExecutor)?

  // Written under the lock, and read without it: an observer that subscribes while an event is
  // published may miss that event, and nothing else depends on the flag.
  private let listening: Atomic<Bool>

  init(history: Int, _ executor: (any TaskExecutor)?) {
    state = Mutex(State(history: history))
    self.executor = executor
    listening = Atomic(history > 0)
  }

  /// Whether an event posted now would be delivered to an observer or kept in the history.
  var isListening: Bool { listening.load(ordering: .relaxed) }

  func post(_ event: RunEvent) {
    let (gone, needsWaking) = state.withLock { $0.post(event) }
    if needsWaking { startWaking() }
    withExtendedLifetime(gone) {}
  }

  func finish() {
    let needsWaking = change { $0.finish() }
    if needsWaking { startWaking() }
  }

  /// Ends the iterations of an observer as soon as the observer has read all events published so
  /// far. May be called more than once.
  func end(_ observer: Int) {
    let needsWaking = change { $0.end(observer) }
    if needsWaking { startWaking() }
  }

  /// Adds an observer.
  ///
  /// - Parameter capacity: The maximum number of events to keep for the observer.
  /// - Returns: The number that identifies the observer on this board.
  func subscribe(bufferingNewest capacity: Int) -> Int {
    change { $0.subscribe(bufferingNewest: capacity) }
  }

  /// Ends the iterations of an observer and drops the events that it has not read. May be called
  /// more than once.
  func unsubscribe(_ observer: Int) {
    let (waiters, gone) = change { $0.unsubscribe(observer) }
    for waiter in waiters { waiter.resume(returning: nil) }
    withExtendedLifetime(gone) {}
  }

  /// Resumes `waiter` with the observer's next event as soon as there is one, or with `nil` as soon
  /// as the observer's events have ended.
  func receive(_ observer: Int, _ waiter: Waiter) {
    let (reading, gone) = state.withLock { $0.receive(observer, waiter) }
    switch reading {
    case .event(let event): waiter.resume(returning: event)
    case .ended: waiter.resume(returning: nil)
    case .notYet: break
    }
    withExtendedLifetime(gone) {}
  }

  private func change<Result>(_ change: (inout State) -> Result) -> Result {
    state.withLock { state in
      defer { listening.store(state.isListening, ordering: .relaxed) }
      return change(&state)
    }
  }

  /// Starts a task that wakes the waiting observers. The task keeps the time to publish an event
  /// independent of the number of observers.
  private func startWaking() {
    Task(on: executor) { [self] in
      while true {
        let next = state.withLock { $0.wakeups(lookingAtMost: Self.mostWokenAtOnce) }
        for wakeup in next.wakeups { wakeup.waiter.resume(returning: wakeup.event) }
        withExtendedLifetime(next.gone) {}
        if next.isLast { return }
        await Task.yield()
      }
    }
  }
}

private struct State: Sendable {
  typealias Wakeup = (waiter: EventBoard.Waiter, event: RunEvent?)

  struct Observer: Sendable {
    var cursor: EventBuffer.Cursor
    /// The continuations to resume. There is more than one only if copies of an iterator are used
    /// concurrently.
    var waiters: [EventBoard.Waiter] = []
  }

  private var buffer: EventBuffer
  private var observers: [Int: Observer] = [:]
  private var observersSoFar = 0
  private var isFinished = false

  /// The waiting observers, in the order in which they began to wait. Some of them may have been
  /// cancelled since then.
  private var waiting: [Int] = []

  /// The observers to examine in this round, in reverse order. While this list is not empty or
  /// `isWaking` is true, a task is about to wake observers.
  private var round: [Int] = []
  private var isWaking = false

  /// Whether an event has been added, or an observer has been ended, since the round began.
  private var hasNews = false

  init(history: Int) {
    buffer = EventBuffer(history: history)
  }

  var isListening: Bool { !isFinished && (buffer.history > 0 || !observers.isEmpty) }

  /// Adds an event.
  ///
  /// - Returns: The events to release outside of the lock, and whether a task must be started to
  ///   wake the waiting observers.
  mutating func post(_ event: RunEvent) -> (gone: [RunEvent], needsWaking: Bool) {
    guard isListening else { return ([], false) }
    return (buffer.append(event), beginWaking())
  }

  mutating func finish() -> Bool {
    isFinished = true
    return beginWaking()
  }

  mutating func end(_ number: Int) -> Bool {
    guard var observer = observers.removeValue(forKey: number) else { return false }
    buffer.finish(&observer.cursor)
    observers[number] = observer
    return beginWaking()
  }

  mutating func subscribe(bufferingNewest capacity: Int) -> Int {
    observersSoFar += 1
    observers[observersSoFar] = Observer(cursor: buffer.makeCursor(capacity: capacity))
    return observersSoFar
  }

  mutating func unsubscribe(_ number: Int) -> (waiters: [EventBoard.Waiter], gone: [RunEvent]) {
    guard let observer = observers.removeValue(forKey: number) else { return ([], []) }
    return (observer.waiters, buffer.remove(observer.cursor))
  }

  mutating func receive(
    _ number: Int, _ waiter: EventBoard.Waiter
  ) -> (reading: EventBoard.Reading, gone: [RunEvent]) {
    let (reading, gone) = read(number)
    if case .notYet = reading {
      observers[number]?.waiters.append(waiter)
      waiting.append(number)
    }
    return (reading, gone)
  }

  private mutating func read(_ number: Int) -> (reading: EventBoard.Reading, gone: [RunEvent]) {
    // The observer is removed during the change, so that only one reference to its contents exists.
    guard var observer = observers.removeValue(forKey: number) else { return (.ended, []) }
    defer { observers[number] = observer }
    let (event, gone) = buffer.take(&observer.cursor)
    if let event { return (.event(event), gone) }
    return (isFinished || buffer.isAtEnd(observer.cursor) ? .ended : .notYet, gone)
  }

  // MARK: Waking

  /// Records that a new event may have arrived for waiting observers, or that some of them may have
  /// ended.
  ///
  /// - Returns: Whether a task must be started to wake the observers. This is `true` if some are
  ///   waiting and no task is about to wake them.
  private mutating func beginWaking() -> Bool {
    hasNews = true
    guard !isWaking, !waiting.isEmpty else { return false }
    isWaking = true
    return true
  }

  /// Examines up to `limit` observers of the round.
  ///
  /// - Returns: The continuations to resume, each with the event to deliver or with `nil`; the
  ///   events to release; and whether the task has no further observers to wake.
  mutating func wakeups(
    lookingAtMost limit: Int
  ) -> (wakeups: [Wakeup], gone: [RunEvent], isLast: Bool) {
    var wakeups: [Wakeup] = []
    var gone: [RunEvent] = []
    for _ in 0..<limit {
      if round.isEmpty {
        guard hasNews, !waiting.isEmpty else {
          isWaking = false
          break
        }
        hasNews = false
        round = waiting.reversed()
        waiting = []
      }
      if let number = round.popLast() { wake(number, &wakeups, &gone) }
    }
    return (wakeups, gone, !isWaking)
  }

  private mutating func wake(_ number: Int, _ wakeups: inout [Wakeup], _ gone: inout [RunEvent]) {
    // The task of the observer may have been cancelled in the meantime.
    guard observers[number]?.waiters.isEmpty == false else { return }
    let (reading, released) = read(number)
    gone += released
    let event: RunEvent?
    switch reading {
    case .event(let next): event = next
    case .ended: event = nil
    case .notYet: return waiting.append(number)
    }
    if let waiter = observers[number]?.waiters.removeFirst() { wakeups.append((waiter, event)) }
  }
}
