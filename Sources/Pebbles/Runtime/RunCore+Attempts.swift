/// How an attempt that has a task of its own came to an end, for the run.
enum AttemptEnd: Sendable {
  /// The body returned or threw. If it threw, what runs inside of it may yet have to be shut down.
  case bodyEnded(Result<AnyOutput?, any Error>, closing: LateBody? = nil)
  /// The body, a service, is ready and goes on; it may have an output.
  case serviceReady(AnyOutput?)
  /// The body is given up and goes on.
  case givenUp(PebbleTimeout, LateBody)

  var result: Result<AnyOutput?, any Error> {
    switch self {
    case .bodyEnded(let result, _): result
    case .serviceReady(let output): .success(output)
    case .givenUp(let timeout, _): .failure(timeout)
    }
  }

  /// The attempt, if it is not over yet: because its body goes on, or what runs inside of that.
  var lateBody: LateBody? {
    switch self {
    case .bodyEnded(_, let closing): closing
    case .serviceReady: nil
    case .givenUp(_, let body): body
    }
  }
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
      let end = await attempt(number, of: pebble, options)
      let finished = clock.now()
      if options.traits.retry != nil {
        storage.addAttempt(started, finished, end.result, at: pebble)
      }

      switch end.result {
      case .success(let output):
        if let output { storage.values.setPayload(output, at: pebble) }
        return true
      case .failure(let error):
        note(.attemptFailed(name(pebble), attempt: number, error), at: finished)
        guard await waitsForNextAttempt(of: pebble, &schedule, after: end, error, at: finished)
        else {
          storage.values.setPayload(ErrorBox(error), at: pebble)
          if let body = end.lateBody { pebbleSettles(leaving: body) }
          return false
        }
        number += 1
      }
    }
  }

  /// - Returns: Whether there is to be a next attempt, now.
  private func waitsForNextAttempt(
    of pebble: Int, _ schedule: inout RetrySchedule?, after end: AttemptEnd, _ error: any Error,
    at time: UInt64
  ) async -> Bool {
    if isCancelled || isDeadlinePassed(at: time) { return false }
    guard let delay = schedule?.delay(afterFailure: error) else { return false }
    if delay > .zero {
      let rest = options.deadline.map { ($0 - time).asNanoseconds } ?? delay
      // Fails only because of cancellation, which is looked at below.
      try? await clock.sleep(min(delay, rest))
    }
    // One attempt at a time: what the last one does must be over before the next one begins.
    if let body = end.lateBody, !(await hasEnded(body)) { return false }
    guard await waitsForThread(pebble) else { return false }
    let isWanted = !isCancelled && !Task.isCancelled && !isDeadlinePassed(at: clock.now())
    if !isWanted { threads.giveBack(pebble) }
    return isWanted
  }

  func isDeadlinePassed(at time: UInt64) -> Bool {
    options.deadline.map { time >= $0 } ?? false
  }

  /// Calls the body of a pebble once.
  func attempt(
    _ number: Int, of pebble: Int, _ options: PebbleOptions
  ) async -> AttemptEnd {
    if let shortage = threads.shortage(of: pebble) { return .bodyEnded(.failure(shortage)) }
    let lease = threads.handOver(to: pebble)
    let slot = ContextSlot(self, pebble: pebble, attempt: number)
    let limit = limit(of: options, pebble)
    let end = await ContextSlot.$current.withValue(slot) { () -> AttemptEnd in
      if options.service != nil { return await startService(pebble, options, limit) }
      // The task of whoever calls it from outside is not one for the body to cancel, say.
      if limit != nil || attempts.canBeGivenUp || isElsewhere {
        return await attemptInOwnTask(pebble, options, limit, lease)
      }
      let result = await Result { try await self.callBody(of: pebble, options) }
      slot.close()
      lease?.end()
      return .bodyEnded(result)
    }
    guard case .bodyEnded(let result, _) = end, case .failure = result else { return end }
    return .bodyEnded(result, closing: close(slot, of: pebble, within: options.traits.timeout))
  }

  /// The body where it is to run, with all that is around it.
  func callBody(of pebble: Int, _ options: PebbleOptions) async throws -> AnyOutput? {
    var undoing: (@Sendable () -> Void)?
    if options.teardown != nil { undoing = { self.startDiscarding(nil, of: pebble) } }
    return try await surrounded(pebble) {
      [
        program, values = storage.values, executor = executor(for: options), isAlwaysCalled,
        undoing
      ] in
      guard let executor else {
        return try await program.callBody(of: pebble, values, undoing: undoing)
      }
      return try await executor.call(always: isAlwaysCalled) {
        try await program.callBody(of: pebble, values, undoing: undoing)
      }
    }
  }

  /// Where a body is to run; `nil` for where its attempt is.
  func executor(for options: PebbleOptions) -> (any TaskExecutor)? {
    // One that the run was given comes before what pebbles say, and attempts are there already.
    if self.options.executor != nil { return nil }
    return options.traits.isBlocking ? self.options.blockingThreads : options.traits.executor
  }

  func surrounded(
    _ pebble: Int, _ body: @escaping @Sendable () async throws -> AnyOutput?
  ) async throws -> AnyOutput? {
    let around = program.pondOptions.around + (program.options[UInt32(pebble)]?.around ?? [])
    guard !around.isEmpty, let context = PebbleContext.current else { return try await body() }
    let isService = program.options[UInt32(pebble)]?.isService == true
    let chain = AroundChain(around, context) { output in
      // What a service has opened, it has said when it was ready.
      if !isService { await self.discard(output, of: pebble) }
    }
    return try await chain.call {
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
