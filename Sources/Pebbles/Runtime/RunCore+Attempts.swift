/// How an attempt that has a task of its own came to an end, for the run.
enum AttemptEnd: Sendable {
  /// The body returned or threw.
  case bodyEnded(Result<AnyOutput?, any Error>)
  /// The body, a service, is ready and goes on.
  case serviceReady
  /// The body is given up and goes on.
  case timedOut(PebbleTimeout)

  fileprivate var result: Result<AnyOutput?, any Error> {
    switch self {
    case .bodyEnded(let result): result
    case .serviceReady: .success(nil)
    case .timedOut(let timeout): .failure(timeout)
    }
  }
}

/// How long an attempt may still take, and what it fails with if it takes longer.
private struct AttemptLimit {
  let rest: Duration
  let error: PebbleTimeout
}

/// Bodies that are called with more than an `await`: because they may time out or be tried again,
/// run elsewhere, are services, or because the pond has something around all of them.
extension RunCore {
  /// Calls the body of a pebble as often as its options say, and keeps what it returned or threw.
  ///
  /// - Returns: Whether the pebble succeeded.
  func attempt(_ pebble: Int) async -> Bool {
    let options = program.options[UInt32(pebble)] ?? .none
    var schedule = options.traits.retry?.makeSchedule()
    var number = 1
    while true {
      let started = clock.now()
      note(.attemptStarted(name(pebble), attempt: number), at: started)
      let result = await attempt(number, of: pebble, options)
      let finished = clock.now()
      if options.traits.retry != nil { storage.addAttempt(started, finished, result, at: pebble) }

      switch result {
      case .success(let output):
        if let output { storage.values.setPayload(output, at: pebble) }
        return true
      case .failure(let error):
        note(.attemptFailed(name(pebble), attempt: number, error), at: finished)
        guard await waitsForNextAttempt(&schedule, after: error, at: finished) else {
          storage.values.setPayload(ErrorBox(error), at: pebble)
          return false
        }
        number += 1
      }
    }
  }

  /// - Returns: Whether there is to be a next attempt, now.
  private func waitsForNextAttempt(
    _ schedule: inout RetrySchedule?, after error: any Error, at time: UInt64
  ) async -> Bool {
    if isCancelled || isDeadlinePassed(at: time) { return false }
    guard let delay = schedule?.delay(afterFailure: error) else { return false }
    if delay > .zero {
      let rest = options.deadline.map { ($0 - time).asNanoseconds } ?? delay
      // Fails only because of cancellation, which is looked at below.
      try? await clock.sleep(min(delay, rest))
    }
    return !isCancelled && !Task.isCancelled && !isDeadlinePassed(at: clock.now())
  }

  private func isDeadlinePassed(at time: UInt64) -> Bool {
    options.deadline.map { time >= $0 } ?? false
  }

  private func attempt(
    _ number: Int, of pebble: Int, _ options: PebbleOptions
  ) async -> Result<AnyOutput?, any Error> {
    let slot = ContextSlot(self, pebble: pebble, attempt: number)
    let limit = limit(of: options, pebble)
    if options.service == nil, limit == nil {
      return await ContextSlot.$current.withValue(slot) {
        await Result { try await self.callBody(of: pebble, options) }
      }
    }
    return await ContextSlot.$current.withValue(slot) {
      await attemptInOwnTask(pebble, options, limit)
    }
  }

  /// The body in a task of its own, so that the run can leave it behind: it takes no more than its
  /// time, and a service that is ready need not end.
  private func attemptInOwnTask(
    _ pebble: Int, _ options: PebbleOptions, _ limit: AttemptLimit?
  ) async -> Result<AnyOutput?, any Error> {
    let settlement = Settlement<AttemptEnd>()
    let body = startBody(pebble, options, settlement)
    let timer = limit.map { limit in
      Task(on: self.options.executor) { [self] in
        guard (try? await clock.sleep(limit.rest)) != nil else { return }
        if settlement.settle(.timedOut(limit.error)) { body.cancel() }
      }
    }
    let end = await withTaskCancellationHandler {
      await settlement.value()
    } onCancel: {
      body.cancel()
    }
    timer?.cancel()
    // By the runner, so that it is noted before the pebble settles and the run can end.
    if case .timedOut(let timeout) = end { storage.bodyGoesOn(at: pebble, after: timeout) }
    if options.service != nil {
      switch end {
      case .serviceReady: break
      case .bodyEnded, .timedOut:
        services.startFailed(pebble)
        perform(life.take { $0.serviceEnded() })
      }
    }
    return end.result
  }

  /// The body is not called if its time was over before the task had its turn: nothing starts
  /// after a deadline.
  private func startBody(
    _ pebble: Int, _ options: PebbleOptions, _ settlement: Settlement<AttemptEnd>
  ) -> Task<Void, Never> {
    guard let service = options.service else {
      return Task(name: name(pebble), on: self.options.executor) { [self] in
        guard settlement.settled == nil else { return storage.lateBodyEnded(at: pebble) }
        let result = await Result { try await callBody(of: pebble, options) }
        if !settlement.settle(.bodyEnded(result)) { storage.lateBodyEnded(at: pebble) }
      }
    }
    let ready = ServiceReady { settlement.settle(.serviceReady) }
    life.take { $0.serviceStarted() }
    return services.start(pebble) { hasSettled in
      Task(name: name(pebble), on: self.options.executor) { [self] in
        guard settlement.settled == nil else { return storage.lateBodyEnded(at: pebble) }
        let result = await Result { try await callService(service, of: pebble, options, ready) }
        // Too early, whichever way; unless it had been ready, when this settles nothing.
        var early = result
        if case .success = result { early = .failure(ServiceError.endedBeforeReady) }
        if settlement.settle(.bodyEnded(early)) { return }
        switch settlement.settled {
        case .serviceReady:
          // It may have ended before the runner knows that it was ready.
          await hasSettled.value()
          serviceEnded(pebble, result, options.traits.ending ?? .shutDown)
        case .timedOut: storage.lateBodyEnded(at: pebble)
        case .bodyEnded, nil: preconditionFailure("a service ended twice")
        }
      }
    }
  }

  /// How long an attempt may take from now on, if there is a limit.
  private func limit(of options: PebbleOptions, _ pebble: Int) -> AttemptLimit? {
    let rest = self.options.deadline.map { ($0 - min($0, clock.now())).asNanoseconds }
    if let timeout = options.traits.timeout, timeout <= rest ?? timeout {
      return AttemptLimit(
        rest: timeout,
        error: PebbleTimeout(pebble: name(pebble), limit: timeout, isDeadlineOfRun: false))
    }
    guard let rest, let deadline = self.options.deadline?.asNanoseconds else { return nil }
    return AttemptLimit(
      rest: rest,
      error: PebbleTimeout(pebble: name(pebble), limit: deadline, isDeadlineOfRun: true))
  }

  /// The body where it is to run, with all that is around it.
  private func callBody(of pebble: Int, _ options: PebbleOptions) async throws -> AnyOutput? {
    try await surrounded(pebble) {
      [program, values = storage.values, executor = executor(for: options)] in
      guard let executor else { return try await program.callBody(of: pebble, values) }
      return try await executor.call { try await program.callBody(of: pebble, values) }
    }
  }

  /// Where a body is to run; `nil` for where its attempt is.
  func executor(for options: PebbleOptions) -> (any TaskExecutor)? {
    // One that the run was given comes before what pebbles say, and attempts are there already.
    if self.options.executor != nil { return nil }
    return options.traits.isBlocking ? BlockingThreads.shared : options.traits.executor
  }

  func surrounded(
    _ pebble: Int, _ body: @Sendable () async throws -> AnyOutput?
  ) async throws -> AnyOutput? {
    let around = program.pondOptions.around + (program.options[UInt32(pebble)]?.around ?? [])
    guard !around.isEmpty, let context = PebbleContext.current else { return try await body() }
    return try await AroundChain(around, context).call {
      // What is around it may have taken so long that the run no longer wants it.
      try Task.checkCancellation()
      return try await body()
    }
  }

  func name(_ pebble: Int) -> String { program.pond.graph.names[pebble] }
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
