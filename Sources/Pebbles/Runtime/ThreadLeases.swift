import Synchronization

/// Who may block a thread: which blocking bodies of all runs of the process, and which of them wait
/// for one.
///
/// A few bodies at a time, those of higher priority first, then first come, first served. A run
/// none of whose bodies blocks a thread gets one beyond that, or bodies of other runs that never
/// return would hold it up for ever. A body that was given up does not count any more: its thread
/// is replaced. Both up to a bound, beyond which bodies wait; and once all threads belong to bodies
/// that were given up, waiting would be in vain, and those that come fail with
/// ``BlockingThreadShortage``.
struct ThreadLeases: Sendable {
  /// A body that waits for a thread.
  struct Waiter: Sendable {
    let number: Int
    let run: RunIdentifier
    let priority: Int
    let answer: Settlement<Answer>
  }

  enum Answer: Sendable {
    case granted
    case refused(BlockingThreadShortage)
    /// It does not want one any more.
    case withdrawn
  }

  /// How many bodies may block a thread at a time, but for those of runs that have none.
  let limit: Int

  /// How many threads there may ever be.
  let most: Int

  private var heldByRun: [RunIdentifier: Int] = [:]
  private(set) var heldCount = 0
  private(set) var abandonedCount = 0
  private var waiters: [Waiter] = []
  private var waitersSoFar = 0

  init(limit: Int, most: Int) {
    self.limit = limit
    self.most = max(most, limit)
  }

  /// How many threads all of them need together.
  var threadCount: Int { heldCount + abandonedCount }

  var waitingCount: Int { waiters.count }

  /// - Returns: What identifies the waiter, and those to be told.
  mutating func add(
    run: RunIdentifier, priority: Int, _ answer: Settlement<Answer>
  ) -> (number: Int, told: [(Waiter, Answer)]) {
    waitersSoFar += 1
    let waiter = Waiter(number: waitersSoFar, run: run, priority: priority, answer: answer)
    // Behind all those of its priority.
    let place = waiters.firstIndex { $0.priority < priority } ?? waiters.endIndex
    waiters.insert(waiter, at: place)
    return (waiter.number, grant())
  }

  mutating func withdraw(_ number: Int) -> [(Waiter, Answer)] {
    guard let place = waiters.firstIndex(where: { $0.number == number }) else { return [] }
    return [(waiters.remove(at: place), .withdrawn)]
  }

  /// A body that held a thread was given up.
  mutating func abandoned(by run: RunIdentifier) -> [(Waiter, Answer)] {
    give(back: run)
    abandonedCount += 1
    return grant()
  }

  /// A body that held a thread has returned.
  mutating func returned(by run: RunIdentifier) -> [(Waiter, Answer)] {
    give(back: run)
    return grant()
  }

  /// A body that had been given up has returned after all.
  mutating func abandonedReturned() -> [(Waiter, Answer)] {
    abandonedCount -= 1
    return grant()
  }

  private mutating func give(back run: RunIdentifier) {
    heldCount -= 1
    heldByRun[run, default: 0] -= 1
    if heldByRun[run] == 0 { heldByRun[run] = nil }
  }

  private mutating func grant() -> [(Waiter, Answer)] {
    var told: [(Waiter, Answer)] = []
    var left: [Waiter] = []
    for waiter in waiters {
      if let answer = answer(to: waiter) {
        told.append((waiter, answer))
      } else {
        left.append(waiter)
      }
    }
    waiters = left
    return told
  }

  private mutating func answer(to waiter: Waiter) -> Answer? {
    if threadCount >= most {
      return heldCount == 0 ? .refused(BlockingThreadShortage(threadCount: most)) : nil
    }
    guard heldCount < limit || heldByRun[waiter.run] == nil else { return nil }
    heldCount += 1
    heldByRun[waiter.run, default: 0] += 1
    return .granted
  }
}

/// The right of one body to block a thread.
final class ThreadLease: Sendable {
  private enum State {
    /// Can transition to: `abandoned` (the body is given up), `over` (it has returned).
    case held
    /// Can transition to: `over` (the body has returned after all).
    case abandoned
    /// Final.
    case over
  }

  private let threads: BlockingThreads
  private let run: RunIdentifier
  private let state = Mutex(State.held)

  init(_ threads: BlockingThreads, _ run: RunIdentifier) {
    self.threads = threads
    self.run = run
  }

  deinit {
    end()
  }

  /// The body is given up: another thread takes the place of its own.
  func abandon() {
    let isFirst = state.withLock { state in
      guard case .held = state else { return false }
      state = .abandoned
      return true
    }
    if isFirst { threads.changeLeases { $0.abandoned(by: run) } }
  }

  /// The body has returned.
  func end() {
    let last = state.withLock { state in
      defer { state = .over }
      return state
    }
    switch last {
    case .held: threads.changeLeases { $0.returned(by: run) }
    case .abandoned: threads.changeLeases { $0.abandonedReturned() }
    case .over: break
    }
  }
}

extension BlockingThreads {
  /// Waits until a body of a run may block a thread.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - priority: That of the pebble.
  ///   - timer: Makes the task that calls back when the run wants no thread any more.
  /// - Returns: Its right to; `nil` if the waiting task was cancelled, or that happened.
  /// - Throws: ``BlockingThreadShortage`` if there will be no thread.
  func lease(
    for run: RunIdentifier, priority: Int,
    timer: ((@escaping @Sendable () -> Void) -> Task<Void, Never>)? = nil
  ) async throws(BlockingThreadShortage) -> ThreadLease? {
    let answer = Settlement<ThreadLeases.Answer>()
    let number = Atomic(0)
    changeLeases { leases in
      let (own, told) = leases.add(run: run, priority: priority, answer)
      number.store(own, ordering: .relaxed)
      return told
    }
    let timeout = timer?({ self.changeLeases { $0.withdraw(number.load(ordering: .relaxed)) } })
    defer { timeout?.cancel() }
    let given = await withTaskCancellationHandler {
      await answer.value()
    } onCancel: {
      changeLeases { $0.withdraw(number.load(ordering: .relaxed)) }
    }
    switch given {
    case .granted: return ThreadLease(self, run)
    case .refused(let shortage): throw shortage
    case .withdrawn: return nil
    }
  }
}

/// The threads that the blocking bodies of one run hold.
final class HeldThreads: Sendable {
  private enum Holding {
    case waiting
    case lease(ThreadLease)
    case none(BlockingThreadShortage)
  }

  private let holdings = Mutex<[Int: Holding]>([:])

  /// A pebble waits for a thread from now on.
  func startWaiting(for pebble: Int) {
    holdings.withLock { $0[pebble] = .waiting }
  }

  /// Whether a pebble waits for a thread.
  func isAwaited(by pebble: Int) -> Bool {
    if case .waiting? = holdings.withLock({ $0[pebble] }) { true } else { false }
  }

  func take(_ lease: ThreadLease, for pebble: Int) {
    holdings.withLock { $0[pebble] = .lease(lease) }
  }

  func refuse(_ pebble: Int, because shortage: BlockingThreadShortage) {
    holdings.withLock { $0[pebble] = Holding.none(shortage) }
  }

  /// Why the body of a pebble cannot have a thread, if it cannot.
  func shortage(of pebble: Int) -> BlockingThreadShortage? {
    if case .none(let shortage)? = holdings.withLock({ $0[pebble] }) { shortage } else { nil }
  }

  /// The attempt of a pebble that is about to begin has its lease from now on, if there is one.
  func handOver(to pebble: Int) -> ThreadLease? {
    guard case .lease(let lease)? = holdings.withLock({ $0.removeValue(forKey: pebble) }) else {
      return nil
    }
    return lease
  }

  /// A pebble does not start after all.
  func giveBack(_ pebble: Int) {
    if case .lease(let lease)? = holdings.withLock({ $0.removeValue(forKey: pebble) }) {
      lease.end()
    }
  }
}

extension RunCore {
  /// Whether the body of a pebble blocks a thread.
  func needsThread(_ pebble: Int) -> Bool {
    program.options[UInt32(pebble)]?.traits.isBlocking == true && options.executor == nil
  }

  /// Waits until the body of a pebble may block a thread, if it does.
  ///
  /// - Returns: Whether it may be called; not in a run that has been cancelled meanwhile.
  func waitsForThread(_ pebble: Int) async -> Bool {
    guard needsThread(pebble), let options = program.options[UInt32(pebble)] else { return true }
    threads.startWaiting(for: pebble)
    do throws(BlockingThreadShortage) {
      guard
        let lease = try await self.options.blockingThreads.lease(
          for: identifier, priority: options.traits.priority, timer: deadlineTimer)
        // What undoes something is called all the same, if not at once.
      else { return self.options.deadlineError != nil && !isCancelled }
      self.threads.take(lease, for: pebble)
    } catch {
      self.threads.refuse(pebble, because: error)
    }
    return true
  }

  /// What calls back at the deadline of the run, if there is one.
  private var deadlineTimer: ((@escaping @Sendable () -> Void) -> Task<Void, Never>)? {
    guard let deadline = options.deadline else { return nil }
    let rest = (deadline - min(deadline, clock.now())).asNanoseconds
    return { [clock, options] passed in
      Task(on: options.executor) {
        guard (try? await clock.sleep(rest)) != nil else { return }
        passed()
      }
    }
  }
}
