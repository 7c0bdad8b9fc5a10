extension RunCore {
  /// Has the run torn down: cancels it first if it is still going on. Returns at once.
  ///
  /// - Parameters:
  ///   - reason: What a run that is still going on is cancelled for.
  ///   - limit: How long tearing down may take.
  func shutDown(_ reason: RunCancellation, within limit: Duration? = nil) {
    // Out here, because the clock is the user's.
    let now = clock.now()
    perform(
      life.take { life in
        if let limit { life.shutdownLimited(to: limit) }
        return life.shutdownRequested(reason, at: now)
      })
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

  /// Waits until the run has been torn down, which must have been asked for.
  func shutdownReport() async -> ShutdownReport {
    await life.shutdown.value()
    guard let report = storage.shutdown else {
      preconditionFailure("a run has been torn down without a report of it")
    }
    return report
  }

  /// Tears the run down in a task of its own: to cancel a caller must not cancel that.
  func startTeardown(within limit: Duration?) {
    Task(on: options.executor) { [self] in
      let report = await ContextSlot.$current.withValue(nil) { await tearDown(within: limit) }
      storage.tornDown(report)
      perform(life.take { $0.tornDown() })
    }
  }

  /// Tears down what has come up, in the reverse order of what enabled what: by running a pond of
  /// the teardowns, each of which waits for those of the pebbles that it has enabled.
  private func tearDown(within limit: Duration?) async -> ShutdownReport {
    let pondName = program.pond.graph.pondName
    guard let log = storage.state.settleLog else {
      return ShutdownReport(pondName: pondName, run: nil, pebbles: [])
    }
    let candidates = program.options.filter(\.value.canBeTornDown).keys.map(Int.init)
    let enabling = DecisionHistory(storage.state, program.pond.operands, log.order)
    let order = TeardownOrder(of: candidates, enabling)

    let definition = PondDefinition(pondName: "shutdown of \(pondName)")
    var steps: [Pebble<Void>] = []
    for (step, pebble) in order.pebbles.enumerated() {
      let dependents = order.dependents(of: step).map { steps[$0].settled }
      let body = Body { if let pebble { try await self.tearDown(pebble) } }
      // The names only have to differ; a report says those of the pebbles.
      steps.append(
        Pebble(
          reference: definition.append(
            "\(step)", needs: nil, when: .all(dependents), nil, body)))
    }
    let program = Program(definition)
    definition.discard()
    var options = RunOptions()
    options.deadline = limit?.nanoseconds
    options.executor = self.options.executor
    let run = RunCore(program, clock.restarted(), options)
    run.start()
    let end = await run.life.end.value()
    // Those whose turn did not come in time: nothing else would tell them.
    services.cancelRemaining()
    return ShutdownReport(
      pondName: pondName, run: run.report(at: end),
      pebbles: order.pebbles.enumerated().compactMap { step, pebble in
        pebble.map { (step, name($0)) }
      })
  }

  private func tearDown(_ pebble: Int) async throws {
    guard let options = program.options[UInt32(pebble)] else { return }
    if options.service != nil { await services.stop(pebble) }
    guard let teardown = options.teardown else { return }
    let attempts = storage.notes(at: pebble)?.attempts.count ?? 0
    let slot = ContextSlot(self, pebble: pebble, attempt: max(1, attempts), isTeardown: true)
    try await ContextSlot.$current.withValue(slot) { try await teardown(storage.values, pebble) }
  }
}
