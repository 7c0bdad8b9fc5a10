import Synchronization

/// Runs one pond once.
///
/// A few *runners* await bodies inline, one after another. A runner that is about to await a body
/// while more pebbles are ready first makes sure that a *spare* runner is enqueued: if the body
/// suspends, its thread is free for the spare; if not, two runners on two cores share the work.
/// A runner that works alone has one spare, which stands by while bodies are tiny, so bodies that
/// do not suspend cost no task at all, and nothing that is ready waits behind a suspended body.
///
/// A runner ends when it finds nothing to take. The last one to end knows the run to be at rest,
/// and either settles a stall, or ends the run.
final class RunCore: Sendable {
  let program: Program
  let options: RunOptions
  let identifier: RunIdentifier
  let storage: RunStorage
  let clock: RunClock
  let queue: ReadyQueue
  let events: EventHub
  let failures: FailurePolicyWatch
  let services = RunningServices()
  let attempts: RunningAttempts
  let lateBodies = LateBodies()
  let lateOutputs = LateOutputs()
  let threads = HeldThreads()
  let innerRuns: InnerRuns
  let crew = RunnerCrew()
  let life: RunLifecycleLock

  /// Whether every body is called with more than an `await`.
  let allNeedAttempts: Bool

  private let outer: Mutex<EnclosingBody?>

  /// The attempt that the run was started in, and the place at which it belongs to that, or to one
  /// further out, as long as something of it is up.
  let owner: RunOwner?
  let placeAtOwner = Mutex<(owner: RunOwner, number: Int)?>(nil)
  private let grant = Mutex<GrantHold?>(nil)
  private let signals = Mutex<SignalWatch?>(nil)
  private let timers = Mutex<[Task<Void, Never>]>([])
  let settledCount = Atomic(0)

  init(_ program: Program, _ clock: RunClock, _ options: RunOptions) {
    self.program = program
    self.options = options
    identifier = options.runElsewhere ?? RunIdentifier()
    self.clock = clock
    storage = RunStorage(program.pond, ordersSettling: program.canBeTornDown)
    queue = ReadyQueue(
      program.pond.network, holdsInitial: !program.hasActivations,
      program.admission(learningFrom: options.durations))
    events = EventHub(history: options.eventHistory, executor: options.executor)
    failures = FailurePolicyWatch(program.pondOptions.onFailure)
    let canBeTornDown = program.canBeTornDown
    life = RunLifecycleLock(
      RunLifecycle(
        canBeTornDown: canBeTornDown, leavesBodies: options.limitsShutdown,
        deadline: options.deadline))
    attempts = RunningAttempts(canBeGivenUp: canBeTornDown || options.limitsShutdown)
    allNeedAttempts =
      options.deadline != nil || canBeTornDown || options.limitsShutdown
      || !program.pondOptions.around.isEmpty
    outer = Mutex(EnclosingBody.current)
    owner = options.isDetached ? nil : RunOwner.current
    innerRuns = InnerRuns(owner: owner)
  }

  deinit {
    innerRuns.runAroundIsGone()
  }

  /// Where the run was started, if that was inside of another one; `nil` once it has ended.
  var parent: EnclosingBody? { outer.withLock { $0 } }

  func report(at end: RunEnd) -> Report { Report(storage, identifier, end) }

  var isCancelled: Bool { life.isCancelled }

  /// Whether the run is to end, or be torn down, for a reason that does not lie in its pebbles.
  var isEndAsked: Bool { isCancelled || life.take { $0.shutdownReason != nil } }

  /// Whether this calls a single body for a run that is driven from elsewhere.
  var isElsewhere: Bool { options.runElsewhere != nil }

  func start(holding grant: (any BackgroundGrant)? = nil) {
    if !joinOwner() { shutDown(.shutdown) }
    guard let grant else { return enlistFirst() }
    let hold = GrantHold(grant, named: program.pond.graph.pondName) {
      self.cancel(.backgroundTimeExpired)
    }
    self.grant.withLock { $0 = hold }
    let isAnswered = Promise<Void>()
    Task(on: options.executor) {
      await hold.begin()
      isAnswered.fulfill(())
    }
    crew.enlist(self) {
      // A system that does not answer must not detain the run beyond its deadline.
      _ = await self.waits(for: isAnswered, atMost: self.options.deadline?.asNanoseconds)
      await Runner(self, $0, $1).begin()
    }
  }

  /// To wake another thread takes longer than a small run, so one that is awaited begins on the
  /// thread that waits for it: unless it is inside of a body, lest runs in runs fill its stack.
  private func enlistFirst() {
    let mayBeImmediate =
      options.isAwaited && options.executor == nil
      && program.pond.network.pebbleCount <= Self.mostPebblesOfSmallRun
      && parent == nil && withUnsafeCurrentTask { $0?.unownedTaskExecutor == nil }
    if mayBeImmediate, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      crew.enlistImmediately(self) { await Runner(self, $0, $1).begin() }
    } else {
      crew.enlist(self) { await Runner(self, $0, $1).begin() }
    }
  }

  /// Up to how many pebbles it takes less time to begin on the thread of the caller than to wake
  /// another. Each body is bound to its pebble by itself there, and a task that began like that
  /// looks, in Swift 6.3, behind a lock for an executor that it might prefer whenever an
  /// asynchronous body returns.
  private static let mostPebblesOfSmallRun = 32

  /// Starts nothing more and cancels what runs. Calls after the first, or the end, do nothing.
  func cancel(_ reason: RunCancellation, at time: UInt64? = nil) {
    // Out here, because the clock is the user's.
    let now = time ?? clock.now()
    perform(life.take { $0.cancelRequested(reason, at: now) })
    SelfAwaitingRuns.recheck(self)
  }

  /// Whether the body of a pebble is called with more than an `await`.
  func needsAttempts(_ pebble: Int) -> Bool {
    allNeedAttempts || program.options[UInt32(pebble)]?.needsAttempts == true
  }

  /// Sends a spare runner on its way unless one is.
  ///
  /// - Parameter isUrgent: Whether the caller has just added to the queue. If so a spare on its way
  ///   counts only if it is sure to see that; if not, the runner that added has seen to it.
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

  /// Does what the lifecycle says, in that order.
  func perform(_ actions: [RunLifecycle.Action]) {
    for action in actions {
      switch action {
      case .cancelBodies: crew.cancel()
      case .giveUpBodies(let limit): giveUpBodies(after: limit)
      case .announce(let end):
        note(.runEnded(isCancelled: end.cancellation != nil), at: end.time)
      case .tell(let end): tell(end)
      case .tearDown(let reason, let deadline): startTeardown(reason, by: deadline)
      case .finishEvents: events.finish()
      case .tellShutdown: tellShutdown()
      case .wake(let time): wake(at: time)
      }
    }
  }

  /// Tells the lifecycle when a time has come.
  private func wake(at time: UInt64) {
    let now = clock.now()
    let timer = Task(on: options.executor) { [self] in
      guard (try? await clock.sleep((time - min(now, time)).asNanoseconds)) != nil else { return }
      perform(life.take { $0.timePassed(to: time) })
    }
    timers.withLock { $0.append(timer) }
    // It may be over already, and no other call would cancel it.
    if life.shutdown.fulfilled != nil { cancelTimers() }
  }

  private func cancelTimers() {
    let timers = timers.withLock { timers in
      defer { timers = [] }
      return timers
    }
    for timer in timers { timer.cancel() }
  }

  private func tellShutdown() {
    signals.withLock { $0.take() }?.cancel()
    // Those that came after the last look, or for which there was nothing to be torn down.
    for (_, run) in innerRuns.close() { run.shutDown(.shutdown) }
    life.shutdown.fulfill(())
    leaveOwnerIfNothingIsUp()
    cancelTimers()
  }

  /// Holds on to what watches for the signals that shut the run down, until it is shut down.
  func keep(_ watch: SignalWatch) {
    signals.withLock { $0 = watch }
  }

  private func tell(_ end: RunEnd) {
    // Let go of: a body may return the run that it has started, and each would keep the other.
    if let parent = outer.withLock({ $0.take() }) {
      parent.core.storage.addNested(report(at: end), at: parent.pebble)
    }
    grant.withLock { $0 }?.runEnded()
    life.end.fulfill(end)
    leaveOwnerIfNothingIsUp()
  }
}
