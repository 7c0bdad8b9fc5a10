import Synchronization

/// The queue of a run's ready pebbles, for ponds with limits, priorities or blocking pebbles. It
/// consists of an `AdmissionQueue`, guarded by a lock, and threads for the blocking pebbles.
///
/// A pebble that needs a thread is taken only when a thread is available. Until then, the pebble
/// neither counts toward the limits nor holds its resources. The queue requests one thread at a
/// time, with the priority of the first pebble that could start immediately. The thread goes to the
/// pebble that is first when the request is granted. The queue releases threads that no pebble can
/// use any longer.
final class OrderedQueue: Sendable {
  /// A thread for a blocking pebble, or the reason why no thread is available.
  enum Thread: Sendable {
    case lease(ThreadLease)
    /// A refusal because of a shortage of threads.
    case refused(BlockingThreadShortage)
  }

  private struct State {
    var admission: AdmissionQueue

    /// The services that are down. Ready pebbles that take the output of one of these services wait
    /// in `waitingForServices`.
    var downServices: Set<Int> = []
    var waitingForServices: [UInt32] = []

    /// The pending request for a thread, and the priority of the pebble that needs the thread;
    /// `nil` if no request is pending.
    var request: (number: Int, priority: Int)?

    /// The threads that no pebble has taken yet.
    var idle: [Thread] = []

    /// The threads of pebbles that were taken but have not started, keyed by pebble.
    var handedOut: [Int: Thread] = [:]

    /// Whether the queue has stopped requesting threads. If so, bodies are called without a thread,
    /// or not at all.
    var isClosed = false
  }

  private let state: Mutex<State>
  private let threads: BlockingThreads
  private let run: RunIdentifier

  /// The priorities of the pebbles that need a thread.
  private let priorities: [UInt32: Int]

  /// The services whose outputs a pebble takes, keyed by the pebble. The pebble waits while one of
  /// these services is down.
  private let sources: [Int: [Int]]

  /// A promise of the function that is called when a thread has been granted or refused.
  private let threadCame = Promise<@Sendable () -> Void>()

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - admission: The order and the limits of admission.
  ///   - priorities: The priorities of the pebbles that need a thread.
  ///   - sources: For each pebble, the services whose outputs it takes.
  ///   - threads: The threads for blocking pebbles.
  ///   - run: The run to which the queue belongs.
  init(
    _ admission: AdmissionQueue, _ priorities: [UInt32: Int], _ sources: [Int: [Int]],
    _ threads: BlockingThreads, _ run: RunIdentifier
  ) {
    state = Mutex(State(admission: admission))
    self.priorities = priorities
    self.sources = sources
    self.threads = threads
    self.run = run
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    LockOrder.keeping(LockPlace.queue) { state.withLock { body(&$0) } }
  }

  /// Sets the function that is called when a thread has been granted or refused, because a pebble
  /// can then be taken.
  func whenThreadComes(_ handler: @escaping @Sendable () -> Void) {
    threadCame.fulfill(handler)
  }

  /// The number of waiting pebbles, or 0 if none of them can be taken now.
  var admissibleCount: Int { withLock { $0.admission.canAdmit ? $0.admission.count : 0 } }

  /// The number of waiting pebbles, including those that cannot be taken now.
  var waitingCount: Int { withLock { $0.admission.count + $0.waitingForServices.count } }

  /// Whether a pebble is waiting only for a thread.
  var waitsForThread: Bool { withLock { $0.request != nil } }

  func append(_ pebbles: ArraySlice<UInt32>) {
    change { add(pebbles, &$0) }
  }

  func take() -> Int? {
    var pebble: Int?
    repeat {
      pebble = change { state in
        guard let pebble = state.admission.take().map(Int.init) else { return nil }
        if priorities[UInt32(pebble)] != nil { state.handedOut[pebble] = state.idle.popLast() }
        return pebble
      }
      // The requested thread may have come already.
    } while pebble == nil && admissibleCount > 0
    return pebble
  }

  /// Releases the resources of a settled pebble, and adds the pebbles that have become ready.
  ///
  /// Both steps happen in one critical section. Otherwise, another runner could use the resources
  /// for a waiting pebble just before a pebble that precedes it is added.
  ///
  /// - Parameters:
  ///   - pebble: The pebble that has settled.
  ///   - keepsUses: Whether the pebble keeps its resources until `giveBackUses(of:)` is called. A
  ///     pebble keeps its resources while its abandoned body is still running, or while runs inside
  ///     the pebble are being shut down.
  ///   - ready: The pebbles that have become ready.
  func giveBack(_ pebble: Int, keepsUses: Bool, adding ready: ArraySlice<UInt32>) {
    change { state in
      state.admission.release(UInt32(pebble), keepsUses: keepsUses)
      add(ready, &state)
    }
  }

  /// Releases the resources that a settled pebble has kept; see `giveBack(_:keepsUses:adding:)`.
  func giveBackUses(of pebble: Int) {
    change { $0.admission.releaseUses(of: UInt32(pebble)) }
  }

  /// Removes the pebbles that are waiting until one of the given pebbles releases a resource or, if
  /// the given pebble is a service, comes up again.
  ///
  /// - Returns: The removed pebbles, each with one of the holders that it was waiting for.
  func removeBlocked(by holders: [Int]) -> [(pebble: Int, holder: Int)] {
    let isHolder = Set(holders)
    return change { state in
      let waiting = state.waitingForServices
      let blocked = waiting.compactMap { pebble -> (pebble: Int, holder: Int)? in
        sources[Int(pebble)]?.first(where: isHolder.contains).map { (Int(pebble), $0) }
      }
      let removed = Set(blocked.map(\.pebble))
      state.waitingForServices.removeAll { removed.contains(Int($0)) }
      return blocked + state.admission.removeBlocked(by: holders)
    }
  }

  /// Returns the obstacles that keep each of the given pebbles from starting. The pebbles must be
  /// ready and must not have been taken.
  func obstacles(of pebbles: [Int]) -> [Int: [AdmissionQueue.Obstacle]] {
    withLock { state in
      pebbles.reduce(into: [:]) { obstacles, pebble in
        let down = missingSources(of: pebble, state)
        obstacles[pebble] =
          down.isEmpty
          ? state.admission.obstacles(of: UInt32(pebble))
          : down.map(AdmissionQueue.Obstacle.service)
      }
    }
  }

  // MARK: Services

  /// The services that are down while a ready pebble is waiting for their output.
  var awaitedServices: [Int] {
    withLock { state in
      Set(state.waitingForServices.flatMap { missingSources(of: Int($0), state) }).sorted()
    }
  }

  /// Records that a service is down. Pebbles that take its output wait until it is up again.
  func serviceWentDown(_ service: Int) {
    change { state in
      guard state.downServices.insert(service).inserted else { return }
      let readers = sources.filter { $0.value.contains(service) }.keys.map { UInt32($0) }
      state.waitingForServices += state.admission.withdraw(readers)
    }
  }

  /// Records that a service is up again and that its output can be read.
  func serviceCameUp(_ service: Int) {
    change { state in
      state.downServices.remove(service)
      let waiting = state.waitingForServices
      state.waitingForServices = []
      add(waiting[...], &state)
    }
  }

  private func add(_ pebbles: ArraySlice<UInt32>, _ state: inout State) {
    if state.downServices.isEmpty { return state.admission.add(pebbles) }
    for pebble in pebbles {
      if missingSources(of: Int(pebble), state).isEmpty {
        state.admission.add(CollectionOfOne(pebble))
      } else {
        state.waitingForServices.append(pebble)
      }
    }
  }

  private func missingSources(of pebble: Int, _ state: State) -> [Int] {
    sources[pebble]?.filter(state.downServices.contains) ?? []
  }

  // MARK: Threads

  /// Removes and returns the thread that was handed out to a taken pebble. Returns `nil` if the
  /// pebble has no thread.
  func thread(for pebble: Int) -> Thread? {
    withLock { $0.handedOut.removeValue(forKey: pebble) }
  }

  /// Releases all idle threads, and stops requesting threads.
  ///
  /// - Parameter admitsAll: Whether to admit pebbles that need a thread even though they get none.
  func wantNoThreads(admitsAll: Bool = false) {
    let unused = change { state in
      state.isClosed = true
      if admitsAll { state.admission.offerThread(unlimited: true) }
      defer { state.idle = [] }
      return state.idle
    }
    for case .lease(let lease) in unused { lease.end() }
  }

  /// Changes the state, and then makes, changes or withdraws the request for a thread as needed.
  @discardableResult
  private func change<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, replies, unused) = withLock { state in
      let result = change(&state)
      let replies = askForThread(&state)
      return (result, replies, takeBackIdleThreads(&state))
    }
    // Done outside of the lock, because the receivers of the answers take the locks of their
    // queues.
    for (waiter, answer) in replies { waiter.answer.fulfill(answer) }
    for case .lease(let lease) in unused { lease.end() }
    return result
  }

  private func takeBackIdleThreads(_ state: inout State) -> [Thread] {
    guard !state.idle.isEmpty, state.admission.takeBackIdleThreads() > 0 else { return [] }
    defer { state.idle = [] }
    return state.idle
  }

  /// Makes, changes or withdraws the request for a thread.
  ///
  /// - Returns: The waiters whose requests are now answered, each with its answer. Some of them may
  ///   belong to other runs.
  private func askForThread(_ state: inout State) -> [BlockingThreadAdmission.Reply] {
    if priorities.isEmpty { return [] }
    let isWanted = !state.isClosed && state.idle.isEmpty
    let wanted = isWanted ? state.admission.threadDemand() : nil
    let priority = wanted.flatMap { priorities[$0] }
    guard priority != state.request?.priority else { return [] }
    var replies: [BlockingThreadAdmission.Reply] = []
    if let request = state.request {
      replies += threads.withAdmission { $0.withdraw(request.number) }
      state.request = nil
    }
    guard let priority else { return replies }
    let answer = Promise<BlockingThreadAdmission.Answer>()
    let (number, others) = threads.withAdmission {
      $0.add(run: run, priority: priority, answer)
    }
    state.request = (number, priority)
    answer.whenFulfilled { self.answered(number, $0) }
    return replies + others
  }

  private func answered(_ number: Int, _ answer: BlockingThreadAdmission.Answer) {
    let thread: Thread
    switch answer {
    case .granted: thread = .lease(ThreadLease(threads, run))
    case .refused(let shortage): thread = .refused(shortage)
    case .withdrawn: return
    }
    let isWanted = change { state in
      guard state.request?.number == number, !state.isClosed else { return false }
      state.request = nil
      state.idle.append(thread)
      state.admission.offerThread()
      return true
    }
    guard isWanted else {
      if case .lease(let lease) = thread { lease.end() }
      return
    }
    threadCame.fulfilled?()
  }
}
