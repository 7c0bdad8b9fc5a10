import Synchronization

extension RunCore {
  /// Has the run torn down: cancels it first if it is still going on. Returns at once.
  ///
  /// - Parameters:
  ///   - reason: What a run that is still going on is cancelled for.
  ///   - limit: How long that may take from now on.
  func shutDown(_ reason: RunCancellation, within limit: Duration? = nil) {
    // Out here, because the clock is the user's.
    let now = clock.now()
    perform(
      life.take { life in
        if let limit { life.shutdownLimited(to: limit) }
        return life.shutdownRequested(reason, at: now)
      })
    SelfAwaitingRuns.recheck(self)
  }

  /// Has the run torn down on the first of these signals.
  ///
  /// - Returns: What watches for them, for as long as it lives.
  /// - Throws: Why it cannot.
  func shutDown(on signals: [Signal]) throws(SignalWatchError) -> SignalWatch {
    try SignalWatch(signals) { [self] signal in
      // Cancelling calls code of the user, which must not hold up other signals.
      Task { shutDown(.signal(signal)) }
    }
  }

  /// Waits until the run has been torn down, which must have been asked for, or until that has
  /// taken as long as it may.
  func shutdownReport() async -> ShutdownReport {
    await life.shutdown.value()
    return shutdownSoFar
  }

  /// What has come of tearing the run down: of one that is still at it, that its pebbles go on.
  var shutdownSoFar: ShutdownReport {
    if let shutdown = storage.shutdown { return shutdown }
    let running = program.pond.graph.names.indices.filter {
      !life.isOver && storage.state.status(of: $0) == .running || services.running.contains($0)
    }
    return ShutdownReport(
      storage, goingOn: running,
      within: life.take { $0.shutdownDeadline?.limit } ?? clock.now().asNanoseconds)
  }

  /// Tears the run down in a task of its own: to cancel a caller must not cancel that.
  func startTeardown(_ reason: RunCancellation?, by deadline: RunLifecycle.ShutdownDeadline?) {
    Task(on: options.executor) { [self] in
      let now = clock.now()
      note(.shutdownBegan(reason), at: now)
      let limit = deadline.map {
        AttemptLimit(
          rest: ($0.time - min($0.time, now)).asNanoseconds,
          error: PebbleTimeout(pebble: "", limit: $0.limit, .shutdown))
      }
      let report = await ContextSlot.$current.withValue(nil) { await tearDown(within: limit) }
      await lateOutputsAreUndone(by: deadline)
      note(.shutdownEnded, at: clock.now())
      perform(
        life.take { life in
          // In one step: who finds the report finds the run to be torn down.
          storage.tornDown(report)
          return life.tornDown()
        })
    }
  }

  /// Tears down what has come up, in the reverse order of what enabled what: by running a pond of
  /// the teardowns, each of which waits for those of the pebbles that it has enabled.
  ///
  /// However late it is, everything is torn down. But nothing that has not ended at the limit is
  /// waited for: what comes after it begins all the same.
  private func tearDown(within limit: AttemptLimit?) async -> ShutdownReport {
    let order = teardownOrder()
    guard !order.pebbles.isEmpty else {
      return ShutdownReport(pondName: program.pond.graph.pondName, run: nil, pebbles: [])
    }
    let clock = clock.restarted()
    let rest: @Sendable () -> Duration? = {
      limit.map { max(.zero, $0.rest - clock.now().asNanoseconds) }
    }
    let pondName = program.pond.graph.pondName
    let definition = PondDefinition(pondName: "shutdown of \(pondName)")
    let nested = NestedShutdowns()
    var steps: [Pebble<Void>] = []
    for (step, pebble) in order.pebbles.enumerated() {
      let dependents = order.dependents(of: step).map { steps[$0].settled }
      let body = Body {
        guard let pebble else { return }
        let areAllDown = try await self.tearDown(pebble, within: rest, nested)
        // What was being shut down already may take longer than this may.
        if !areAllDown, let limit { throw limit.error }
      }
      // The names only have to differ; a report says those of the pebbles.
      steps.append(
        Pebble(
          reference: definition.append(
            "\(step)", needs: nil, when: .all(dependents),
            pebble.flatMap { program.options[UInt32($0)]?.placeOfTeardown }, body)))
    }
    let teardowns = Program(definition)
    definition.discard()
    var options = RunOptions()
    options.deadline = limit?.rest.nanoseconds
    options.deadlineError = limit?.error
    options.executor = self.options.executor
    let run = RunCore(teardowns, clock, options)
    run.start()
    let end = await run.life.end.value()
    return ShutdownReport(
      pondName: pondName, run: run.report(at: end),
      pebbles: order.pebbles.enumerated().compactMap { step, pebble in
        pebble.map { (step, name($0), nested.reports(of: $0)) }
      })
  }

  private func teardownOrder() -> TeardownOrder {
    let candidates = program.options.filter(\.value.canBeTornDown).keys.map(Int.init)
      .filter { storage.state.status(of: $0) == .succeeded }
    let torn = innerRuns.shutdownBegins(with: candidates)
    guard !torn.isEmpty else { return TeardownOrder() }
    let order = storage.state.settleLog?.order ?? SettleOrder(byTimesOf: storage.state)
    let enabling = DecisionHistory(storage.state, program.pond.operands, order)
    // A body that has failed has opened nothing, but the runs inside of it may have.
    return TeardownOrder(of: torn, enabling)
      .stopping(before: program.stopsBefore)
  }

  /// Tears one pebble down: in the reverse order of how its body opened what there is. A service
  /// ends first, then what it has returned is undone, then what it runs inside of it is shut down.
  ///
  /// - Returns: Whether all that was over in time.
  private func tearDown(
    _ pebble: Int, within rest: @Sendable () -> Duration?, _ nested: NestedShutdowns
  ) async throws -> Bool {
    let result = await Result { try await tearDownOwn(pebble, within: rest) }
    let (reports, areAllDown) = await shutDownInnerRuns(of: pebble, within: rest)
    nested.add(reports, of: pebble)
    try result.get()
    for report in reports { try report.check() }
    return areAllDown
  }

  private func tearDownOwn(_ pebble: Int, within rest: @Sendable () -> Duration?) async throws {
    guard storage.state.status(of: pebble) == .succeeded,
      let options = program.options[UInt32(pebble)]
    else { return }
    if options.service != nil, !(await stopService(pebble, options, within: rest)) {
      throw ServiceError.didNotStop
    }
    guard
      let output = services.takeOutput(of: pebble, first: storage.values.payload(at: pebble))
    else { return }
    try await callTeardown(of: pebble, output)
  }

  /// Hands what a body returned to the teardown of its pebble, if there is one.
  private func callTeardown(of pebble: Int, _ output: AnyOutput?) async throws {
    guard let teardown = program.options[UInt32(pebble)]?.teardown else { return }
    let attempts = storage.notes(at: pebble)?.attempts.count ?? 0
    let slot = ContextSlot(self, pebble: pebble, attempt: max(1, attempts), isTeardown: true)
    note(.teardownStarted(name(pebble)), at: clock.now())
    let result = await ContextSlot.$current.withValue(slot) {
      await Result { try await teardown(output) }
    }
    slot.close()
    var error = await closed(slot, of: pebble).errors.first
    if case .failure(let failure) = result { error = failure }
    note(.teardownEnded(name(pebble), error), at: clock.now())
    if let error { throw error }
  }

  /// Hands an output to the teardown of its pebble, if there is one, where that is to run.
  func undo(
    _ output: AnyOutput?, of pebble: Int, _ options: PebbleOptions
  ) async -> Result<Void, any Error> {
    // In a task of its own, for that of the caller may have been cancelled.
    let task = Task(on: self.options.executor) { [self] in
      await Result {
        guard let executor = executor(for: options) else {
          return try await callTeardown(of: pebble, output)
        }
        try await executor.call { try await self.callTeardown(of: pebble, output) }
      }
    }
    return await task.value
  }
}

/// What came of shutting down the runs inside of pebbles.
private final class NestedShutdowns: Sendable {
  private let known = Mutex<[Int: [ShutdownReport]]>([:])

  func add(_ reports: [ShutdownReport], of pebble: Int) {
    if !reports.isEmpty { known.withLock { $0[pebble] = reports } }
  }

  func reports(of pebble: Int) -> [ShutdownReport] { known.withLock { $0[pebble] ?? [] } }
}

extension PebbleOptions {
  /// The same place to run in, for what undoes the body.
  fileprivate var placeOfTeardown: PebbleOptions? {
    guard traits.isBlocking || traits.executor != nil else { return nil }
    return PebbleOptions([
      PebbleTrait { [traits] place in
        place.isBlocking = traits.isBlocking
        place.executor = traits.executor
      }
    ])
  }
}
