import Synchronization

/// One run of a pond.
///
/// A few *runners* await bodies inline, one after another. If other pebbles are ready when a runner
/// is about to await a body, the runner first ensures that a *spare* runner is enqueued. If the
/// body suspends, the spare can use the thread. If the body does not suspend, two runners on two
/// cores share the work. A runner that works alone has one spare, which stands by while bodies are
/// tiny. Therefore, a body that does not suspend needs no task of its own, and no ready pebble
/// waits for a suspended body.
///
/// A runner ends when it finds no pebble to take. When the last runner finds none, the run is at
/// rest, and this runner either resolves a stall or ends the run.
final class RunCore: Sendable {
  let program: Program
  let options: RunOptions
  let identifier: RunIdentifier
  let storage: RunStorage
  let clock: RunClock
  let queue: ReadyQueue
  let events: EventHub
  let failures: FailurePolicyWatch
  let crew = RunnerCrew()
  let life: RunLifeLock

  /// The state with which the run resumes an earlier run; `nil` if it does not resume a run.
  let resumption: Resumption?

  /// The recording of the run for later processes; `nil` if the run is not recorded.
  let recording: RunRecording?

  /// The outputs that were lost with an earlier process and may still be needed.
  let missingOutputs = MissingOutputs()

  /// Whether every body is called through `PebbleAttempts` instead of being awaited inline.
  let allNeedAttempts: Bool

  let settledCount = Atomic(0)
  let held: Mutex<Held>

  /// The objects that the run keeps alive, and the state of its shutdown.
  struct Held {
    /// The body in which this run was started; `nil` if this run was not started in a body, or has
    /// ended.
    var parent: EnclosingBody?
    var grant: GrantHold?
    var signals: SignalWatch?
    var timers: [Task<Void, Never>] = []
    var chain: RunChain?

    /// A promise that is fulfilled when the partial teardown for a resuming run is over; `nil` if
    /// no run has resumed this one. The teardown spares everything that the resuming run keeps.
    var partTornDown: Promise<Void>?

    /// The time by which a shutdown of the chain must be over, in nanoseconds on the clock of this
    /// run; `nil` for no limit.
    var shutdownEnd: UInt64?

    /// Whether the next process continues the run after a cancellation in this process. The value
    /// does not change once the run is cancelled.
    var isLeft = false

    /// The reason why the run is torn down; `nil` until a shutdown is requested.
    var shutdownReason: RunCancellation?
  }

  init(_ program: Program, _ clock: RunClock, _ options: RunOptions) {
    self.program = program
    self.options = options
    identifier = options.purpose.runElsewhere ?? options.recording?.run ?? RunIdentifier()
    self.clock = clock
    recording = options.recording
    resumption = options.resumption
    storage = RunStorage(
      program.pond, of: options.subset, keeping: resumption?.kept ?? [:], given: options.given)
    let isThreaded = options.executor == nil && options.purpose.runElsewhere == nil
    let priorities = isThreaded ? program.blockingPebbles : [:]
    let admission = program.pond.admission(
      learningFrom: options.durations, threaded: Set(priorities.keys),
      isNeeded: !program.families.sources.isEmpty)
    queue = ReadyQueue(
      program.pond.network,
      holdsInitial: !program.hasActivations && options.subset == nil
        && resumption == nil && recording == nil && !program.pond.hasGivenPebbles,
      admission.map { [identifier] in
        OrderedQueue(
          $0, priorities, program.families.sources, options.blockingThreads, identifier)
      })
    events = EventHub(history: options.eventHistory, executor: options.executor)
    failures = FailurePolicyWatch(program.pondOptions.onFailure)
    let hasTeardowns = program.hasTeardowns
    life = RunLifeLock(
      RunLifecycle(
        hasTeardowns: hasTeardowns, deadline: options.deadline,
        shutdownLimit: options.shutdownLimit),
      program.families.adding(
        program.servicesToRestore(options.recording?.progress), program.pond.graph),
      owner: options.isDetached ? nil : RunOwner.current, following: resumption)
    allNeedAttempts =
      options.deadline != nil || hasTeardowns || !program.pondOptions.around.isEmpty
      || recording != nil
    held = Mutex(Held(parent: EnclosingBody.current, chain: resumption?.chain))
    queue.ordered?.whenThreadComes { [weak self] in self?.threadCame() }
    recording?.journal.whenBroken { [weak self] problem in
      self?.storage.journalBroke(problem)
      self?.shutDown(.journalBroken(problem))
    }
  }

  deinit {
    let entries = life.change { $0.inner.releaseAll() }
    withExtendedLifetime(entries) {}
  }

  func report(at end: RunEnd) -> Report { Report(storage, identifier, end) }

  var isCancelled: Bool { life.isCancelled }

  /// Whether the run was cancelled, or its shutdown was requested.
  var isEndAsked: Bool { isCancelled || life.read { $0.run.shutdownReason != nil } }

  /// Whether this run only calls a single body for a run that is driven elsewhere.
  var isSingleCall: Bool { options.purpose.runElsewhere != nil }

  func start(holding grant: (any BackgroundGrant)? = nil) {
    if !joinOwner() { shutDown(.shutdown) }
    guard let grant else { return enlistFirst() }
    let hold = GrantHold(grant, named: program.pond.graph.pondName) {
      self.cancel(.backgroundTimeExpired)
    }
    held.withLock { $0.grant = hold }
    let isAnswered = Promise<Void>()
    Task(on: options.executor) {
      await hold.begin()
      isAnswered.fulfill(())
    }
    crew.enlist(self) {
      // A system that does not answer must not delay the run beyond its deadline.
      _ = await self.waits(for: isAnswered, until: self.options.deadline ?? .max)
      await Runner(self, $0, $1).begin()
    }
  }

  /// Enlists the first runner. If the caller awaits a small run, the run begins on the caller's
  /// thread, because waking another thread takes longer than the run itself. This is not done for
  /// runs started inside a body, because nested runs could overflow the stack.
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

  /// The maximum number of pebbles in a run that begins on its caller's thread.
  ///
  /// Such a run need not wake another thread, but each of its bodies takes longer, for two reasons:
  /// a task-local value must be bound for each body, and in Swift 6.3, the task takes a lock
  /// whenever an asynchronous body returns, in order to look up its preferred executor.
  private static let mostPebblesOfSmallRun = 32

  /// Cancels the run: running bodies are cancelled, and nothing more starts. Does nothing if the
  /// run has already been cancelled or has ended.
  func cancel(_ reason: RunCancellation, at time: UInt64? = nil) {
    // The clock is user code, so it is read outside of the lock.
    let now = time ?? clock.now()
    take { $0.take { $0.cancelRequested(reason, at: now) } }
    SelfAwaitingRuns.recheck(self)
  }

  /// Returns whether the body of a pebble is called through `PebbleAttempts` instead of being
  /// awaited inline.
  func needsAttempts(_ pebble: Int) -> Bool {
    allNeedAttempts || program.options[UInt32(pebble)]?.needsAttempts == true
      || resumption?.pebblesWithRunningBodies.contains(pebble) == true
  }

  /// Enlists a spare runner, unless there are enough spares.
  ///
  /// - Parameter isUrgent: Whether the caller has just added pebbles to the queue. If so, only the
  ///   spares that are certain to see these pebbles count. Otherwise, every spare counts, because
  ///   the runner that last added pebbles has already called this method.
  func summonSpare(isUrgent: Bool) {
    if crew.reserveSpare(isUrgent: isUrgent) {
      crew.enlist(self) { await Runner(self, $0, $1).arrive() }
    }
  }

  /// Enlists a runner after a thread for a blocking pebble has been granted.
  private func threadCame() {
    take { $0.changed() }
    if !life.isOver { summonSpare(isUrgent: true) }
  }

  /// Replaces a working runner with a new one in a new task.
  func replaceRunner() {
    crew.enlist(self) { await Runner(self, $0, $1).work() }
  }

  /// Records that a pebble has settled. This method is called only if the body of the pebble was
  /// called through `PebbleAttempts`, or may have left runs behind.
  ///
  /// - Returns: Whether the pebble keeps its resources until its attempt is over.
  func pebbleSettled(_ pebble: Int, hasSucceeded: Bool) -> Bool {
    let hasUses = program.options[UInt32(pebble)]?.traits.uses.isEmpty == false
    let keepsUses = take { $0.pebbleSettled(pebble, mayKeepUses: hasUses && !hasSucceeded) }
    if keepsUses {
      // Other pebbles and the end of the run may wait for the resources of this pebble.
      for run in life.read({ $0.inner.runs(of: pebble) }) { SelfAwaitingRuns.recheck(run) }
    }
    return keepsUses
  }

  /// Whether an observer or the failure policy needs to be notified when a pebble settles.
  var isObserved: Bool { failures.isActive || events.hasObservers }

  /// Publishes an event. Because the method is inlined, the event is not even created if there is
  /// no observer.
  @inline(__always)
  func note(_ happening: @autoclosure () -> RunEvent.Happening, at time: UInt64) {
    events.publish(RunEvent(time: time.asNanoseconds, happening()))
  }

  func name(_ pebble: Int) -> String { program.pond.graph.names[pebble] }

  /// Abandons the bodies that runners await inline. For each of these bodies, a new runner settles
  /// the pebble and replaces the runner that waits for the body.
  private func giveUpBodies(after limit: Duration) {
    for pebble in program.pond.graph.names.indices
    where storage.state.status(of: pebble) == .running && !needsAttempts(pebble) {
      guard storage.state.claimEnd(of: pebble) else { continue }
      let timeout = PebbleTimeout(
        pebble: name(pebble), limit: limit, .shutdown, in: identifier)
      storage.bodyGivenUp(at: pebble, after: timeout)
      crew.enlist(self) { await Runner(self, $0, $1).takeOver(pebble, timeout) }
    }
  }

  /// Settles a pebble whose body was abandoned.
  func settleGivenUp(_ pebble: Int, _ decisions: inout Decisions) {
    let now = clock.now()
    decisions.listsSkipped = isObserved
    let cases = program.cases(of: pebble, succeeded: false, storage.values, in: identifier)
    if isObserved {
      RunObservation(self).noteEnd(of: pebble, succeeded: false, cases: cases, at: now)
    }
    storage.state.pebbleFinished(
      pebble, succeeded: false, cases: cases, at: now, into: &decisions)
    if isObserved {
      RunObservation(self).pebbleFinished(pebble, succeeded: false, &decisions, at: now)
    }
  }

  func noteSettled(_ count: Int) {
    settledCount.add(count, ordering: .relaxed)
  }

  /// Returns the executor on which a body runs; `nil` if it runs on the executor of its attempt.
  func executor(for options: PebbleOptions) -> (any TaskExecutor)? {
    // The executor of the run takes precedence over those of pebbles, and attempts run there
    // already.
    if self.options.executor != nil { return nil }
    return options.traits.isBlocking ? self.options.blockingThreads : options.traits.executor
  }

  /// Applies a transition to the run's life. The resulting actions are performed by this call, or
  /// by a thread that is already performing actions.
  @discardableResult
  func take<Result>(_ happening: (inout RunLife) -> Result) -> Result {
    life.take(performing: perform, happening)
  }

  private func perform(_ action: RunLife.Action) {
    switch action {
    case .run(let action): perform(action)
    case .answer(let call, let result): call.answer.fulfill(result)
    case .giveUp(let call, let error):
      call.thread?.abandon()
      storage.bodyGivenUp(at: call.pebble, after: error)
      call.answer.fulfill(.failure(error))
    case .cancelBody(let call): call.cancelBody()
    case .returnThread(let call, let wasReplaced): call.thread?.end(wasAbandoned: wasReplaced)
    case .close(let call, let output, let runs):
      Undoing(self, call.pebble).close(call, output, runs)
    case .attemptIsOver(let call, let wasLate, let givesBackUses):
      if wasLate { storage.lateBodyEnded(at: call.pebble) }
      call.isOver.fulfill(())
      // A run that resumes this one may wait for the attempt.
      if life.isOver { take { $0.changed() } }
      if givesBackUses {
        queue.ordered?.giveBackUses(of: call.pebble)
        take { $0.usesGivenBack(call.pebble) }
        if !life.isOver { summonSpare(isUrgent: true) }
      }
    case .undo(let output, let pebble): Undoing(self, pebble).start(output)
    case .noteServiceEnd(let call, let result, let reason, let isAsked):
      noteServiceEnd(of: call, result, reason, isAsked: isAsked)
    case .holdReaders(let service):
      queue.ordered?.serviceWentDown(service)
      tellSuccessors(of: service)
    case .keepLatestOutput(let call, let output):
      storage.values.keepLatestOutput(output, of: call.pebble)
      take { $0.latestOutputIsKept(call) }
    case .letReadersStart(let service):
      queue.ordered?.serviceCameUp(service)
      tellSuccessors(of: service)
      // Wakes the runner that waits at rest. Not done earlier, because that runner examines the
      // queue when it wakes.
      take { $0.changed() }
      if !life.isOver { summonSpare(isUrgent: true) }
    case .stopForRestart(let call, let isReady):
      ServiceStopping(self, call.pebble, call).beginForRestart(of: call, isReady: isReady)
    case .noteServiceDown(let pebble):
      tellSuccessors(of: pebble)
      serviceIsDown(pebble)
    case .tell(let promise): promise.fulfill(())
    }
  }

  private func perform(_ action: RunLifecycle.Action) {
    switch action {
    case .cancelBodies:
      noteCancellation()
      queue.ordered?.wantNoThreads()
      crew.cancel()
    case .giveUpBodies(let limit): giveUpBodies(after: limit)
    case .announce(let end):
      note(
        .runEnded(isCancelled: end.cancellation != nil, hasFailed: report(at: end).hasFailed),
        at: end.time)
    case .tell(let end): tell(end)
    case .tearDown(let reason, let deadline): startTeardown(reason, by: deadline)
    case .finishEvents:
      noteEndIfNothingIsUp()
      events.finish()
    case .tellShutdown: tellShutdown()
    case .wake(let time): wake(at: time)
    }
  }

  /// Starts a task that does not belong to the current body, and returns the task.
  @discardableResult
  func makeTask<Success: Sendable>(
    _ work: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    ContextSlot.$current.withValue(nil) { Task(on: options.executor) { await work() } }
  }

  /// Starts a timer that notifies the lifecycle at the given time.
  private func wake(at time: UInt64) {
    let task = ContextSlot.$current.withValue(nil) {
      timer(at: time) { [self] in take { $0.take { $0.timePassed(to: time) } } }
    }
    held.withLock { $0.timers.append(task) }
    // The run may be over already, and no later call would cancel the timer.
    if life.shutdown.fulfilled != nil { cancelTimers() }
  }

  private func cancelTimers() {
    for timer in held.withLock(\.timers) { timer.cancel() }
  }

  /// Notifies the callers that the run has ended, and adds the run's report to the pebble whose
  /// body started it.
  private func tell(_ end: RunEnd) {
    // The parent is released, because a body may return the run that it has started. Without the
    // release, the two runs would then keep each other alive.
    let (parent, grant) = held.withLock { ($0.parent.take(), $0.grant) }
    if let parent { parent.core.storage.addNestedReport(report(at: end), at: parent.pebble) }
    grant?.runEnded()
    // Done before the end is reported. So a caller who learns of the end also finds that the run
    // has left its owner, unless something is left to shut down.
    leaveOwner()
    noteEndIfNothingIsUp()
    life.end.fulfill(end)
  }

  private func tellShutdown() {
    held.withLock { $0.signals.take() }?.cancel()
    // Shuts down the runs that were started after the last check, or when there was nothing to tear
    // down.
    for run in life.change({ $0.inner.close() }) { run.shutDown(.shutdown) }
    // Done before the shutdown is reported, as in `tell(_:)`.
    leaveOwner()
    life.shutdown.fulfill(())
    cancelTimers()
    shutDownNextOfChain()
  }

  /// Keeps the signal watch of the run alive until the run has been shut down.
  func keep(_ watch: SignalWatch) {
    held.withLock { $0.signals = watch }
  }
}
