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
  let crew = RunnerCrew()
  let life: RunLifeLock

  /// What the run goes on with, if it resumes another one.
  let resumption: Resumption?

  /// What the run keeps of itself beyond its process.
  let recording: RunRecording?

  /// What died with an earlier process and may still be needed.
  let missingOutputs = MissingOutputs()

  /// Whether every body is called with more than an `await`.
  let allNeedAttempts: Bool

  let settledCount = Atomic(0)
  let held: Mutex<Held>

  /// What the run holds on to while it lasts.
  struct Held {
    /// Where the run was started, if that was inside of another one.
    var parent: EnclosingBody?
    var grant: GrantHold?
    var signals: SignalWatch?
    var timers: [Task<Void, Never>] = []
    var line: RunLine?

    /// Given once what a run does not keep that resumes this one has been torn down.
    var partTornDown: Promise<Void>?

    /// When a shutdown of the line of runs is to be over, by the clock of this one.
    var shutdownEnd: UInt64?

    /// Whether the run, if it is cancelled, is left to the next process.
    var isLeft = false

    /// Why the run is torn down, from when that is asked for on.
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
      RunLifecycle(hasTeardowns: hasTeardowns, deadline: options.deadline),
      program.families.adding(
        program.servicesToRestore(options.recording?.progress), program.pond.graph),
      owner: options.isDetached ? nil : RunOwner.current, following: resumption)
    allNeedAttempts =
      options.deadline != nil || hasTeardowns || !program.pondOptions.around.isEmpty
      || recording != nil
    held = Mutex(Held(parent: EnclosingBody.current, line: resumption?.line))
    queue.ordered?.whenThreadComes { [weak self] in self?.threadCame() }
    recording?.journal.whenBroken { [weak self] problem in
      self?.storage.journalBroke(problem)
      self?.shutDown(.journalBroken(problem))
    }
  }

  deinit {
    let entries = life.change { $0.inner.runAroundIsGone() }
    withExtendedLifetime(entries) {}
  }

  /// Where the run was started, if that was inside of another one; `nil` once it has ended.
  var parent: EnclosingBody? { held.withLock { $0.parent } }

  func report(at end: RunEnd) -> Report { Report(storage, identifier, end) }

  var isCancelled: Bool { life.isCancelled }

  /// Whether the run is to end, or be torn down, for a reason that does not lie in its pebbles.
  var isEndAsked: Bool { isCancelled || life.read { $0.run.shutdownReason != nil } }

  /// Whether this calls a single body for a run that is driven from elsewhere.
  var isElsewhere: Bool { options.purpose.runElsewhere != nil }

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
      // A system that does not answer must not detain the run beyond its deadline.
      _ = await self.waits(for: isAnswered, until: self.options.deadline ?? .max)
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
    take { $0.take { $0.cancelRequested(reason, at: now) } }
    SelfAwaitingRuns.recheck(self)
  }

  /// Whether the body of a pebble is called with more than an `await`.
  func needsAttempts(_ pebble: Int) -> Bool {
    allNeedAttempts || program.options[UInt32(pebble)]?.needsAttempts == true
      || resumption?.goingOn.contains(pebble) == true
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

  /// There is a thread with which a blocking pebble can start.
  private func threadCame() {
    take { $0.changed() }
    if !life.isOver { summonSpare(isUrgent: true) }
  }

  /// Puts a runner with a task of its own in the place of one at work.
  func replaceRunner() {
    crew.enlist(self) { await Runner(self, $0, $1).work() }
  }

  /// A pebble has settled that was called with more than an `await`, or has left runs behind.
  ///
  /// - Returns: Whether it keeps what it uses until its attempt is over.
  func pebbleSettled(_ pebble: Int, hasSucceeded: Bool) -> Bool {
    let hasUses = program.options[UInt32(pebble)]?.traits.uses.isEmpty == false
    let keepsUses = take { $0.pebbleSettled(pebble, mayKeepUses: hasUses && !hasSucceeded) }
    if keepsUses {
      // Others wait for what it holds, and with them the end of the run.
      for run in life.read({ $0.inner.runs(of: pebble) }) { SelfAwaitingRuns.recheck(run) }
    }
    return keepsUses
  }

  /// Whether an observer or the failure policy wants to know what settles.
  var isObserved: Bool { failures.isActive || events.hasObservers }

  /// Inlined, so that a happening that nobody observes is not even made.
  @inline(__always)
  func note(_ happening: @autoclosure () -> RunEvent.Happening, at time: UInt64) {
    events.publish(RunEvent(time: time.asNanoseconds, happening()))
  }

  func name(_ pebble: Int) -> String { program.pond.graph.names[pebble] }

  /// Gives up the bodies that are awaited in place: another runner settles each of them, and takes
  /// the place of the one that waits for it.
  private func giveUpBodies(after limit: Duration) {
    for pebble in program.pond.graph.names.indices
    where storage.state.status(of: pebble) == .running && !needsAttempts(pebble) {
      guard storage.state.claimEnd(of: pebble) else { continue }
      let timeout = PebbleTimeout(
        pebble: name(pebble), limit: limit, .shutdown, in: identifier)
      storage.bodyGoesOn(at: pebble, after: timeout)
      crew.enlist(self) { await Runner(self, $0, $1).takeOver(pebble, timeout) }
    }
  }

  /// Settles a pebble whose body was given up.
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

  /// Where a body is to run; `nil` for where its attempt is.
  func executor(for options: PebbleOptions) -> (any TaskExecutor)? {
    // One that the run was given comes before what pebbles say, and attempts are there already.
    if self.options.executor != nil { return nil }
    return options.traits.isBlocking ? self.options.blockingThreads : options.traits.executor
  }

  /// Something has happened. What is to be done about it is done by the caller, or by whoever is
  /// at that already.
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
      storage.bodyGoesOn(at: call.pebble, after: error)
      call.answer.fulfill(.failure(error))
    case .cancelBody(let call): call.cancelBody()
    case .returnThread(let call, let wasReplaced): call.thread?.end(wasAbandoned: wasReplaced)
    case .close(let call, let output, let runs):
      Undoing(self, call.pebble).close(call, output, runs)
    case .attemptIsOver(let call, let wasLate, let givesBackUses):
      if wasLate { storage.lateBodyEnded(at: call.pebble) }
      call.isOver.fulfill(())
      // A run that resumes this one may wait for that.
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
      // For one that waits at rest, and only now: it looks at the queue then.
      take { $0.changed() }
      if !life.isOver { summonSpare(isUrgent: true) }
    case .stopForRestart(let call, let isReady):
      Stopping(self, call.pebble, call).beginForRestart(of: call, isReady: isReady)
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
      note(.runEnded(isCancelled: end.cancellation != nil), at: end.time)
    case .tell(let end): tell(end)
    case .tearDown(let reason, let deadline): startTeardown(reason, by: deadline)
    case .finishEvents:
      noteEndIfNothingIsUp()
      events.finish()
    case .tellShutdown: tellShutdown()
    case .wake(let time): wake(at: time)
    }
  }

  /// Makes a task that is no part of the body in which it may be made.
  @discardableResult
  func makeTask<Success: Sendable>(
    _ work: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    ContextSlot.$current.withValue(nil) { Task(on: options.executor) { await work() } }
  }

  /// Tells the lifecycle when a time has come.
  private func wake(at time: UInt64) {
    let task = ContextSlot.$current.withValue(nil) {
      timer(at: time) { [self] in take { $0.take { $0.timePassed(to: time) } } }
    }
    held.withLock { $0.timers.append(task) }
    // It may be over already, and no other call would cancel it.
    if life.shutdown.fulfilled != nil { cancelTimers() }
  }

  private func cancelTimers() {
    for timer in held.withLock(\.timers) { timer.cancel() }
  }

  private func tellShutdown() {
    held.withLock { $0.signals.take() }?.cancel()
    // Those that came after the last look, or for which there was nothing to be torn down.
    for run in life.change({ $0.inner.close() }) { run.shutDown(.shutdown) }
    life.shutdown.fulfill(())
    leaveOwner()
    cancelTimers()
    shutDownNextOfLine()
  }

  /// Holds on to what watches for the signals that shut the run down, until it is shut down.
  func keep(_ watch: SignalWatch) {
    held.withLock { $0.signals = watch }
  }

  private func tell(_ end: RunEnd) {
    // Let go of: a body may return the run that it has started, and each would keep the other.
    let (parent, grant) = held.withLock { ($0.parent.take(), $0.grant) }
    if let parent { parent.core.storage.addNested(report(at: end), at: parent.pebble) }
    grant?.runEnded()
    // First: who is told of the end of a run with nothing up finds it let go of.
    leaveOwner()
    noteEndIfNothingIsUp()
    life.end.fulfill(end)
  }
}
