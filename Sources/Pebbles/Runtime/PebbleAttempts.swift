/// The attempts of a pebble whose body cannot simply be awaited.
///
/// For example, the body may have a timeout, a retry policy, an executor or layers around it, or it
/// may be a service.
struct PebbleAttempts {
  private let core: RunCore
  private let pebble: Int
  private let options: PebbleOptions

  init(_ core: RunCore, _ pebble: Int) {
    self.core = core
    self.pebble = pebble
    options = core.program.options[UInt32(pebble)] ?? .none
  }

  /// Calls the body until it succeeds or no attempts remain, and stores its output or error.
  ///
  /// - Parameter thread: The thread with which the first attempt starts.
  /// - Returns: Whether the pebble succeeded.
  func call(with thread: OrderedQueue.Thread?) async -> Bool {
    switch await result(with: thread) {
    case .success(let output):
      if let output { core.storage.values.setPayload(output, at: pebble) }
      return true
    case .failure(let error):
      core.storage.values.setPayload(ErrorBox(error), at: pebble)
      return false
    }
  }

  /// Waits for a thread if the body is blocking, and then calls the body until it succeeds or no
  /// attempts remain, without storing the result.
  ///
  /// - Returns: The output of the body, or the error of its last attempt.
  func resultWithThread() async -> Result<AnyOutput?, any Error> {
    guard options.traits.isBlocking, core.options.executor == nil else {
      return await result(with: nil)
    }
    guard let thread = await waitForThread() else { return .failure(CancellationError()) }
    return await result(with: thread)
  }

  /// Calls the body until it succeeds or no attempts remain, without storing the result.
  ///
  /// - Parameter thread: The thread with which the first attempt starts.
  /// - Returns: The output of the body, or the error of its last attempt.
  func result(with thread: OrderedQueue.Thread?) async -> Result<AnyOutput?, any Error> {
    var retries = options.traits.retry?.makeRetries()
    var number = 1
    var thread = thread
    if let known = core.recording?.progress?.unfinished[pebble] {
      // The thread is given back during the wait.
      let waits = known.nextAttempt > core.clock.now()
      if waits, case .lease(let lease)? = thread { lease.end() }
      if let error = await goOn(from: known, &retries) {
        if !waits, case .lease(let lease)? = thread { lease.end() }
        return .failure(error)
      }
      if waits, !(await waitsForThread(&thread)) { return .failure(CancellationError()) }
    }
    // The attempts of earlier processes count, even those from before an output was lost.
    if core.recording?.progress != nil {
      number += core.storage.notes(at: pebble)?.attempts.count ?? 0
    }
    while true {
      let started = core.clock.now()
      core.note(.attemptStarted(core.name(pebble), attempt: number), at: started)
      let (result, call) = await attempt(number, with: thread)
      let finished = core.clock.now()
      var ended: PebbleAttempt {
        PebbleAttempt(
          started: started.asNanoseconds, finished: finished.asNanoseconds, error: result.failure)
      }
      let isForgiven = result.isFailure && call?.startsAnew.fulfilled != nil
      if options.traits.retry != nil || number > 1 || isForgiven {
        core.storage.add(ended, at: pebble)
      }

      switch result {
      case .success:
        return result
      case .failure(let error):
        core.note(.attemptFailed(core.name(pebble), attempt: number, error), at: finished)
        let isNext =
          if isForgiven, let call {
            await startsAnew(call)
          } else {
            await waitsForNextAttempt(&retries, after: call, ended, error, at: finished)
          }
        // Inputs are awaited first, so that the pebble does not hold a thread meanwhile.
        guard isNext, await inputsAreThere(), await waitsForThread(&thread) else {
          let reason = isForgiven ? call.flatMap(reasonNotToStartAnew) : nil
          return .failure(reason ?? error)
        }
        number += 1
      }
    }
  }

  /// Waits until the next attempt may begin.
  ///
  /// - Returns: `true` if the next attempt may begin now; `false` if there is no next attempt.
  private func waitsForNextAttempt(
    _ retries: inout RemainingRetries?, after call: AttemptCall?, _ attempt: PebbleAttempt,
    _ error: any Error, at time: UInt64
  ) async -> Bool {
    if core.isCancelled || core.isDeadlinePassed(at: time) { return false }
    guard let delay = retries?.delay(afterFailure: error) else { return false }
    let next = time.addingSaturated(delay.nanoseconds)
    core.recording?.journal.attemptFailed(pebble, attempt, next: next)
    if delay > .zero {
      // Fails only because of cancellation, which is checked below.
      try? await core.clock.sleep(until: min(next, core.options.deadline ?? .max))
    }
    // Attempts do not overlap: the last one must be over before the next one begins.
    if let call, !(await core.isOver(call, by: core.options.deadline)) { return false }
    return isNextAttemptWanted
  }

  /// Continues with the attempts that were left unfinished when an earlier process died.
  ///
  /// - Returns: The error with which the pebble fails if its body must not be called again; `nil`
  ///   if the body must be called.
  private func goOn(
    from known: RunProgress.Unfinished, _ retries: inout RemainingRetries?
  ) async -> (any Error)? {
    for attempt in known.attempts { core.storage.add(attempt, at: pebble) }
    if known.crashes >= RunProgress.mostCrashes { return PebbleCrash(count: known.crashes) }
    retries?.attemptsFailed(known.attempts.count)
    if known.nextAttempt > core.clock.now() {
      try? await core.clock.sleep(until: min(known.nextAttempt, core.options.deadline ?? .max))
    }
    if isNextAttemptWanted { return nil }
    return known.attempts.last?.error ?? CancellationError()
  }

  /// Waits until a service that lost an input before it was ready can be called again. The
  /// interrupted call does not count toward the service's retry policy.
  ///
  /// - Returns: Whether the service can be called.
  private func startsAnew(_ call: AttemptCall) async -> Bool {
    guard isNextAttemptWanted, await core.isOver(call, by: core.options.deadline),
      await inputsAreThere()
    else { return false }
    return isNextAttemptWanted
  }

  /// Waits until every service that provides an input of the body is up.
  ///
  /// - Returns: `true` if all these services are up; `false` if one of them stays down, if the run
  ///   or the waiting task was cancelled, or if the deadline has passed.
  private func inputsAreThere() async -> Bool {
    while true {
      // Counted first, so that a restart that begins in the meantime counts as later.
      let restarts = core.storage.inputRestarts(of: pebble)
      switch core.life.read({ $0.permission(for: pebble) }) {
      case .now:
        core.storage.takesInputs(restarted: restarts, at: pebble)
        return true
      case .never: return false
      case .later(let change):
        guard isNextAttemptWanted else { return false }
        _ = await core.waits(for: change, until: core.options.deadline ?? .max)
      }
    }
  }

  /// Returns the error of a service that is not called again because another service, which
  /// provides one of its inputs, stays down.
  ///
  /// - Returns: The error; `nil` if every input may still become available, or if the attempt is
  ///   not over.
  private func reasonNotToStartAnew(_ call: AttemptCall) -> ServiceError? {
    core.life.read { life in
      guard case .never = life.permission(for: pebble), life.lastMoment(of: call) == nil else {
        return nil
      }
      return .staysDown
    }
  }

  private var isNextAttemptWanted: Bool {
    !core.isCancelled && !Task.isCancelled && !core.isDeadlinePassed(at: core.clock.now())
  }

  /// Waits until a thread is available for the next call to a blocking body. Returns immediately if
  /// the body is not blocking.
  ///
  /// - Returns: Whether the body may be called.
  private func waitsForThread(_ thread: inout OrderedQueue.Thread?) async -> Bool {
    guard thread != nil else { return true }
    thread = await waitForThread()
    guard case .lease(let lease) = thread else { return thread != nil }
    let isWanted = isNextAttemptWanted
    if !isWanted { lease.end() }
    return isWanted
  }

  /// Waits until a thread is available, the run is cancelled, or the deadline of the run passes.
  ///
  /// - Returns: The thread, or a refusal because of a shortage; `nil` if the run or the waiting
  ///   task was cancelled, or if the deadline has passed.
  func waitForThread() async -> OrderedQueue.Thread? {
    do throws(BlockingThreadShortage) {
      return try await core.options.blockingThreads.lease(
        for: core.identifier, priority: options.traits.priority, timer: deadlineTimer
      ).map(OrderedQueue.Thread.lease)
    } catch {
      return .refused(error)
    }
  }

  /// A function that starts a timer for the deadline of the run; `nil` if there is no deadline.
  private var deadlineTimer: ((@escaping @Sendable () -> Void) -> Task<Void, Never>)? {
    guard let deadline = core.options.deadline else { return nil }
    return { [core] passed in core.timer(at: deadline, passed) }
  }

  /// Makes one attempt, which calls the body at most once.
  ///
  /// - Returns: The result, and the call, which may still be in progress. The call is `nil` if the
  ///   attempt failed before a task was created for the body.
  func attempt(
    _ number: Int, with thread: OrderedQueue.Thread?
  ) async -> (Result<AnyOutput?, any Error>, AttemptCall?) {
    var lease: ThreadLease?
    var options = options
    switch thread {
    case .lease(let given): lease = given
    case .refused(let shortage) where !core.options.purpose.isTeardown:
      return (.failure(shortage), nil)
    case nil where !core.options.purpose.isTeardown || !options.traits.isBlocking: break
    case .refused, nil:
      // A teardown that blocks the pool is better than one that is never called. No other option of
      // a blocking teardown matters.
      options = .none
    }
    if let error = await errorInPlaceOfEarlierBodies() {
      lease?.end()
      return (.failure(error), nil)
    }
    guard await inputsAreThere() else {
      lease?.end()
      if case .never = core.life.read({ $0.permission(for: pebble) }) {
        return (.failure(ServiceError.staysDown), nil)
      }
      // The run is ending, although the service might still come up.
      return (.failure(CancellationError()), nil)
    }
    if core.lacksInputs(of: pebble) {
      // Making the inputs may need the thread.
      lease?.end()
      if let error = await core.makeMissingInputs(of: pebble) { return (.failure(error), nil) }
      var thread = thread
      guard await waitsForThread(&thread) else { return (.failure(CancellationError()), nil) }
      return await attempt(number, with: thread)
    }
    core.recording?.journal.bodyCalled(pebble, attempt: number, at: core.clock.now())
    // A body must not be called if its end cannot be recorded.
    if core.recording != nil, core.isCancelled {
      lease?.end()
      return (.failure(CancellationError()), nil)
    }
    let slot = ContextSlot(core, pebble: pebble, attempt: number)
    let call = AttemptCall(core, pebble, in: slot, options, limit, lease)
    guard options.isService else {
      core.take { $0.attemptStarted(call) }
      return (await BodyCall(core, call, options).answer(), call)
    }
    guard let service = core.take({ $0.serviceStarted(call) }) else {
      return await attempt(number, with: thread)
    }
    let answer = await BodyCall(core, call, options).answer()
    if case .success = answer {
      let supervisor = ServiceSupervisor(core, pebble, options, service)
      ContextSlot.$current.withValue(call.slot) {
        Task(name: call.name, on: core.options.executor) { await supervisor.supervise(call) }
      }
    }
    return (answer, call)
  }

  /// Waits for calls to the pebble's body that are still in progress in earlier runs of the chain.
  /// Attempts must not overlap.
  ///
  /// - Returns: The error with which the pebble fails if such a call does not end in time, or if
  ///   the run is cancelled first; otherwise `nil`.
  private func errorInPlaceOfEarlierBodies() async -> (any Error)? {
    guard core.resumption?.pebblesWithRunningBodies.contains(pebble) == true else { return nil }
    for run in core.earlierRuns {
      let areOver = await run.bodiesEnded(of: pebble) { change in
        guard isNextAttemptWanted else { return false }
        _ = await core.waits(for: change, until: core.options.deadline ?? .max)
        return isNextAttemptWanted
      }
      guard !areOver else { continue }
      if let limit, limit.end <= core.clock.now() { return limit.error }
      return CancellationError()
    }
    return nil
  }

  /// The time limit of an attempt that begins now; `nil` for no limit.
  private var limit: AttemptLimit? {
    let deadline = core.options.deadline
    if let timeout = options.traits.timeout {
      let end = core.time(after: timeout)
      if end <= deadline ?? .max {
        return AttemptLimit(
          end: end,
          error: PebbleTimeout(
            pebble: core.name(pebble), limit: timeout, options.isService ? .readiness : .attempt,
            in: core.identifier))
      }
    }
    guard let deadline else { return nil }
    if case .teardown(let error?) = core.options.purpose {
      return AttemptLimit(end: deadline, error: error)
    }
    return AttemptLimit(
      end: deadline,
      error: PebbleTimeout(
        pebble: core.name(pebble), limit: deadline.asNanoseconds, .run, in: core.identifier))
  }
}

extension Result where Failure == any Error {
  package init(catching body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
