/// Services: pebbles whose bodies go on when the pebble has settled.
extension RunCore {
  /// Calls the body of a service in a task of its own, and waits until it is ready.
  func startService(
    _ pebble: Int, _ options: PebbleOptions, _ limit: AttemptLimit?
  ) async -> AttemptEnd {
    let promise = Promise<AttemptEnd>()
    life.take { $0.serviceStarted() }
    let (hasSettled, stop) = services.start(pebble)
    let call = ServiceCall(stop: stop)
    let lateOutput = LateServiceOutput()
    call.ready.whenFulfilled { output in
      if promise.fulfill(.serviceReady(output)) { return }
      self.readyTooLate(pebble, output, promise, lateOutput)
    }
    let task = Task(name: name(pebble), on: self.options.executor) { [self] in
      guard promise.fulfilled == nil else {
        return await lateBodyEnded(pebble, promise, output: nil)
      }
      let result = await callService(pebble, options, call)
      // Too early, whichever way; unless it had been ready, when this settles nothing.
      if promise.fulfill(.bodyEnded(result.orFailure(.endedBeforeReady))) {
        ContextSlot.current?.close()
        return
      }
      guard case .serviceReady? = promise.fulfilled else {
        return await lateBodyEnded(pebble, promise, output: lateOutput.bodyEnded())
      }
      // It may have ended before the runner knows that it was ready.
      await hasSettled.value()
      ContextSlot.current?.close()
      await serviceEnded(pebble, result, options, stop)
    }
    services.started(pebble, task)
    let end = await end(of: pebble, in: task, promise, limit)
    switch end {
    case .serviceReady: break
    case .bodyEnded, .givenUp:
      services.startFailed(pebble)
      perform(life.take { $0.serviceEnded() })
    }
    return end
  }

  /// A service says that it is ready when nothing waits for that any more. What it hands over is
  /// undone: when its body ends, or now if it has.
  private func readyTooLate(
    _ pebble: Int, _ output: AnyOutput?, _ promise: Promise<AttemptEnd>,
    _ lateOutput: LateServiceOutput
  ) {
    if promise.fulfilled?.lateBody != nil, lateOutput.keep(output) { return }
    startDiscarding(output, of: pebble)
  }

  /// The body of a service where it is to run, with all that is around it.
  private func callService(
    _ pebble: Int, _ options: PebbleOptions, _ call: ServiceCall
  ) async -> Result<Void, any Error> {
    guard let service = options.service else {
      preconditionFailure("pebble \(pebble) is started as a service and is none")
    }
    let inputs = BodyInputs(values: storage.values, placement: options.placement)
    return await Result {
      _ = try await surrounded(pebble) { [executor = executor(for: options)] in
        if let executor {
          try await executor.call { try await service(call, inputs) }
        } else {
          try await service(call, inputs)
        }
        return nil
      }
    }
  }

  /// A service has ended that had been ready: it is restarted, as often as it is to be, or is down.
  private func serviceEnded(
    _ pebble: Int, _ first: Result<Void, any Error>, _ options: PebbleOptions,
    _ stop: Promise<Void>
  ) async {
    let ending = options.traits.ending ?? .shutDown
    var restarts = Restarts(ending)
    var result = first
    while true {
      let time = clock.now()
      // Cancelled with the run while it started, and ready at that very moment.
      if Task.isCancelled, isCancelled { services.wasCancelled(pebble) }
      let isAsked = services.isStopping(pebble)
      storage.serviceEnded(
        ServiceEnd(time: time.asNanoseconds, error: result.error, wasAsked: isAsked), at: pebble)
      note(.serviceEnded(name(pebble), result.error), at: time)
      if let body = restarts.lateBody {
        // It is down while it goes on: nothing can be called in its place.
        if !isAsked { serviceIsDown(pebble, ending) }
        await body.hasEnded.value()
        break
      }
      guard !isAsked, let delay = restarts.delay(after: result, at: time) else { break }
      if let output = services.takeOutput(of: pebble, first: storage.values.payload(at: pebble)) {
        await discard(output, of: pebble)
      }
      if let slot = restarts.slot,
        let call = close(slot, of: pebble, within: options.traits.timeout), !(await hasEnded(call))
      {
        // It is down while that goes on: nothing can be called in its place.
        if !services.isStopping(pebble) { serviceIsDown(pebble, ending) }
        await call.hasEnded.value()
        break
      }
      if await waits(for: stop, atMost: delay) || Task.isCancelled { break }
      result = await restart(pebble, options, stop, &restarts, after: result)
    }

    let (isUnasked, isAbandoned, service) = services.serviceEnded(pebble)
    if isAbandoned,
      let output = services.takeOutput(of: pebble, first: storage.values.payload(at: pebble))
    {
      await discard(output, of: pebble)
    }
    if isUnasked {
      await closed(restarts.slot, of: pebble)
      serviceIsDown(pebble, ending)
    }
    service?.hasEnded.fulfill(())
    // Only now, because events end once the run has ended and no service is left.
    perform(life.take { $0.serviceEnded() })
    leaveOwnerIfNothingIsUp()
  }

  private func serviceIsDown(_ pebble: Int, _ ending: ServiceEnding) {
    storage.serviceIsDown(at: pebble)
    if !ending.isIgnoring { shutDown(.serviceEnded(name(pebble))) }
  }

  /// Calls the body of a service again, which has the time of its timeout to be ready. One that
  /// ignores that its time is over is given up as in any attempt.
  ///
  /// - Returns: How that call ended.
  private func restart(
    _ pebble: Int, _ options: PebbleOptions, _ stop: Promise<Void>,
    _ restarts: inout Restarts, after end: Result<Void, any Error>
  ) async -> Result<Void, any Error> {
    restarts.count += 1
    restarts.readySince = nil
    let started = clock.now()
    // Numbered on from the attempts that it took to be ready at first.
    let number = max(1, storage.notes(at: pebble)?.attempts.count ?? 0) + restarts.count
    storage.serviceRestarted(
      ServiceRestart(time: started.asNanoseconds, attempt: number, error: end.error), at: pebble)
    note(.serviceRestarted(name(pebble), attempt: number, end.error), at: started)

    let promise = Promise<AttemptEnd>()
    let bodyEnd = Promise<Result<Void, any Error>>()
    let readyTime = Promise<UInt64>()
    let call = ServiceCall(stop: stop)
    let lateOutput = LateServiceOutput()
    call.ready.whenFulfilled { output in
      // First, for it is asked for by who learns that the service is ready.
      readyTime.fulfill(self.clock.now())
      if promise.fulfill(.serviceReady(output)) { return }
      self.readyTooLate(pebble, output, promise, lateOutput)
    }
    let slot = ContextSlot(self, pebble: pebble, attempt: number)
    restarts.slot = slot
    let body = callAgain(pebble, options, call, promise, lateOutput, bodyEnd, slot)
    // The deadline of the run is about its boot.
    let limit = options.traits.timeout.map { limit in
      AttemptLimit(
        rest: limit, error: PebbleTimeout(pebble: name(pebble), limit: limit, .attempt))
    }
    switch await self.end(of: pebble, in: body, promise, limit) {
    case .serviceReady(let output):
      restarts.readySince = await readyTime.value()
      services.setOutput(output, of: pebble)
      return await withTaskCancellationHandler {
        await bodyEnd.value()
      } onCancel: {
        body.cancel()
      }
    case .bodyEnded(let result, _):
      return result.map { _ in }
    case .givenUp(let timeout, let body):
      let hasEnded = await waits(for: body.hasEnded, atMost: timeout.limit)
      if !hasEnded { restarts.lateBody = body }
      return .failure(timeout)
    }
  }

  private func callAgain(
    _ pebble: Int, _ options: PebbleOptions, _ call: ServiceCall,
    _ promise: Promise<AttemptEnd>, _ lateOutput: LateServiceOutput,
    _ end: Promise<Result<Void, any Error>>, _ slot: ContextSlot
  ) -> Task<Void, Never> {
    ContextSlot.$current.withValue(slot) {
      Task(name: name(pebble), on: self.options.executor) { [self] in
        let result = await callService(pebble, options, call)
        let isFirst = promise.fulfill(.bodyEnded(result.orFailure(.endedBeforeReady)))
        if !isFirst, promise.fulfilled?.lateBody != nil {
          return await lateBodyEnded(pebble, promise, output: lateOutput.bodyEnded())
        }
        ContextSlot.current?.close()
        end.fulfill(result)
      }
    }
  }

  /// Has a service stopped: asked first, cancelled after the time that it has for that, and given
  /// up where that does not help.
  ///
  /// - Parameters:
  ///   - pebble: The service.
  ///   - options: Its own.
  ///   - rest: How much time the shutdown has left.
  /// - Returns: Whether it has ended.
  func stopService(
    _ pebble: Int, _ options: PebbleOptions, within rest: () -> Duration?
  ) async -> Bool {
    guard let (service, task) = services.beginStopping(pebble) else { return true }
    note(.stopRequested(name(pebble)), at: clock.now())
    events.endObservers(insideOf: pebble)
    service.stop.fulfill(())
    if let time = options.traits.stopWithin {
      // Half of what is left at most, lest nothing be left for what comes after it.
      let grace = min(time, rest().map { $0 / 2 } ?? time)
      if await waits(for: service.hasEnded, atMost: grace) { return true }
    }
    task?.cancel()
    let patience = [options.traits.stopWithin, rest().map { $0 / 2 }].compactMap(\.self).min()
    if await waits(for: service.hasEnded, atMost: patience) { return true }
    return !services.abandon(pebble)
  }
}

/// When a service that has ended is to be called again.
private struct Restarts {
  private let policy: RetryPolicy?
  private let resetAfter: Duration
  private var schedule: RetrySchedule?

  /// How often it has been.
  var count = 0

  /// The slot of its latest call.
  var slot = ContextSlot.current

  /// Since when it was ready the last time, in nanoseconds; `nil` if it was not.
  var readySince: UInt64?

  /// The body that was given up the last time and has not ended since, if it was.
  var lateBody: LateBody?

  init(_ ending: ServiceEnding) {
    switch ending.kind {
    case .ignore, .shutDown:
      policy = nil
      resetAfter = .zero
    case .restart(let policy, let time):
      self.policy = policy
      resetAfter = time
    }
    schedule = policy?.makeSchedule()
  }

  /// How long to wait before it is called again; `nil` if it is not. Calls user code.
  mutating func delay(after end: Result<Void, any Error>, at time: UInt64) -> Duration? {
    if let since = readySince, (time - min(since, time)).asNanoseconds >= resetAfter {
      schedule = policy?.makeSchedule()
    }
    return schedule?.delay(afterFailure: end.error ?? ServiceError.ended)
  }
}

extension ServiceEnding {
  fileprivate var isIgnoring: Bool {
    switch kind {
    case .ignore: true
    case .shutDown, .restart: false
    }
  }
}

extension Result where Success == Void, Failure == any Error {
  fileprivate var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// What it means for an attempt that the body of a service has ended.
  fileprivate func orFailure(_ error: ServiceError) -> Result<AnyOutput?, any Error> {
    flatMap { .failure(error) }
  }
}
