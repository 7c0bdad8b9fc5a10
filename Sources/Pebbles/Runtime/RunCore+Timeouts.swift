/// How long an attempt may still take, and what it fails with if it takes longer.
struct AttemptLimit {
  let rest: Duration
  let error: PebbleTimeout
}

/// Bodies that the run can leave behind: because their time is over, or that of a shutdown.
extension RunCore {
  /// Whether bodies are called however late it is: they undo something.
  var isAlwaysCalled: Bool { options.deadlineError != nil }

  /// How long an attempt may take from now on, if there is a limit.
  func limit(of options: PebbleOptions, _ pebble: Int) -> AttemptLimit? {
    let rest = self.options.deadline.map { ($0 - min($0, clock.now())).asNanoseconds }
    if let timeout = options.traits.timeout, timeout <= rest ?? timeout {
      return AttemptLimit(
        rest: timeout, error: PebbleTimeout(pebble: name(pebble), limit: timeout, .attempt))
    }
    guard let rest, let deadline = self.options.deadline?.asNanoseconds else { return nil }
    let error =
      self.options.deadlineError
      ?? PebbleTimeout(pebble: name(pebble), limit: deadline, .run)
    return AttemptLimit(rest: rest, error: error)
  }

  /// The body in a task of its own, so that the run can leave it behind.
  ///
  /// It is not called if its time was over before the task had its turn: nothing starts after a
  /// deadline. Except for what undoes something: that is called however late it is.
  func attemptInOwnTask(
    _ pebble: Int, _ options: PebbleOptions, _ limit: AttemptLimit?, _ lease: ThreadLease?
  ) async -> AttemptEnd {
    let promise = Promise<AttemptEnd>()
    if isAlwaysCalled, let limit, limit.rest == .zero {
      giveUp(pebble, limit, promise, lease)
    }
    let body = Task(name: name(pebble), on: self.options.executor) { [self] in
      guard isAlwaysCalled || promise.fulfilled == nil else {
        lease?.end()
        return await lateBodyEnded(pebble, promise, output: nil)
      }
      let result = await Result { try await callBody(of: pebble, options) }
      ContextSlot.current?.close()
      // Before the attempt can be over, and the next one have a thread of its own.
      lease?.end()
      guard !promise.fulfill(.bodyEnded(result)) else { return }
      var output: AnyOutput??
      if case .success(let late) = result { output = .some(late) }
      await lateBodyEnded(pebble, promise, output: output)
    }
    return await end(of: pebble, in: body, promise, limit, lease)
  }

  /// Waits for the end of an attempt, which comes at its limit at the latest.
  func end(
    of pebble: Int, in body: Task<Void, Never>, _ promise: Promise<AttemptEnd>,
    _ limit: AttemptLimit?, _ lease: ThreadLease? = nil
  ) async -> AttemptEnd {
    let timer = limit.map { limit in
      Task(on: self.options.executor) { [self] in
        guard (try? await clock.sleep(limit.rest)) != nil else { return }
        if giveUp(pebble, limit, promise, lease) { body.cancel() }
      }
    }
    attempts.add(pebble) { limit in
      if self.giveUp(pebble, limit, promise, lease) { body.cancel() }
    }
    let end = await withTaskCancellationHandler {
      await promise.value()
    } onCancel: {
      body.cancel()
    }
    attempts.remove(pebble)
    timer?.cancel()
    // By the runner, so that it is noted before the pebble settles and the run can end.
    if case .givenUp(let timeout, _) = end { storage.bodyGoesOn(at: pebble, after: timeout) }
    return end
  }

  /// - Returns: Whether the attempt was still going on.
  @discardableResult
  private func giveUp(
    _ pebble: Int, _ limit: AttemptLimit, _ promise: Promise<AttemptEnd>,
    _ lease: ThreadLease?
  ) -> Bool {
    let body = LateBody(of: pebble, after: limit.error.limit, at: clock.now())
    guard promise.fulfill(.givenUp(limit.error, body)) else { return false }
    lease?.abandon()
    return true
  }

  /// Gives up all bodies that are running: a shutdown waits for them no longer.
  func giveUpBodies(after limit: Duration) {
    attempts.giveUp { [names = program.pond.graph.names] pebble in
      AttemptLimit(
        rest: .zero, error: PebbleTimeout(pebble: names[pebble], limit: limit, .shutdown))
    }
  }
}
