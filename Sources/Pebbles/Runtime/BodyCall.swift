/// One call to a body. The body may time out, be abandoned, or keep running as a service.
///
/// At the time limit, `RunLife.timePassed` decides whether to abandon the body.
struct BodyCall: Sendable {
  private let core: RunCore
  private let call: AttemptCall
  private let options: PebbleOptions

  init(_ core: RunCore, _ call: AttemptCall, _ options: PebbleOptions) {
    self.core = core
    self.call = call
    self.options = options
  }

  /// Calls the body in a separate task, and waits until the body has ended, the service is ready,
  /// or the attempt has timed out.
  ///
  /// The body is not called if the attempt times out before its task starts, because nothing starts
  /// after a deadline. A body that is a teardown is always called.
  func answer() async -> Result<AnyOutput?, any Error> {
    if let limit = call.limit, call.isAlwaysCalled, limit.end <= core.clock.now() {
      timePassed(limit)
    }
    let task = ContextSlot.$current.withValue(call.slot) {
      Task(name: call.name, on: core.options.executor) { await perform() }
    }
    call.taskMade(task)
    let timer = call.limit.map { limit in core.timer(at: limit.end) { timePassed(limit) } }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await call.answer.value()
    } onCancel: {
      core.take { $0.attemptCancelled(call) }
    }
  }

  private func timePassed(_ limit: AttemptLimit) {
    let now = core.clock.now()
    core.take { $0.timePassed(call, after: limit.error.limit, limit.error, at: now) }
  }

  private func perform() async {
    guard core.take({ $0.bodyCalled(call) }) else { return call.slot.close() }
    let result = await Result {
      options.isService
        ? try await callService() : try await callBody()
    }
    call.slot.close()
    let now = core.clock.now()
    core.take { $0.bodyEnded(call, result, at: now) }
  }

  /// Calls the body on its executor, with all layers around it.
  private func callBody() async throws -> AnyOutput? {
    var undoing: (@Sendable () -> Void)?
    if call.undoesOutput { undoing = { core.take { $0.outputCameLate(nil, of: call.pebble) } } }
    return try await surrounded {
      [
        program = core.program, values = core.storage.values, pebble = call.pebble,
        executor = core.executor(for: options), isAlwaysCalled = call.isAlwaysCalled, undoing
      ] in
      guard let executor else {
        return try await program.callBody(of: pebble, values, undoing: undoing)
      }
      return try await executor.call(always: isAlwaysCalled) {
        try await program.callBody(of: pebble, values, undoing: undoing)
      }
    }
  }

  /// Calls the body of a service on its executor, with all layers around it.
  private func callService() async throws -> AnyOutput? {
    guard let body = options.service else {
      preconditionFailure("the pebble \(call.name) is called as a service and is none")
    }
    let serviceCall = ServiceCall(stop: call.stop)
    serviceCall.ready.whenFulfilled { output in
      // The clock is user code, so it is read outside of the lock.
      let now = core.clock.now()
      core.take { $0.serviceReady(call, output, at: now) }
    }
    let inputs = BodyInputs(values: core.storage.values, placement: options.placement)
    return try await surrounded { [executor = core.executor(for: options)] in
      if let executor {
        try await executor.call { try await body(serviceCall, inputs) }
      } else {
        try await body(serviceCall, inputs)
      }
      return nil
    }
  }

  private func surrounded(
    _ body: @escaping @Sendable () async throws -> AnyOutput?
  ) async throws -> AnyOutput? {
    let around = core.program.pondOptions.around + options.around
    guard !around.isEmpty, let context = PebbleContext.current else { return try await body() }
    let chain = AroundChain(around, context) { output in
      // The output of a service was handed over when it was ready.
      if !options.isService { await Undoing(core, call.pebble).discard(output) }
    }
    return try await chain.call {
      // The call may have been cancelled while the layers were running.
      try Task.checkCancellation()
      return try await body()
    }
  }
}
