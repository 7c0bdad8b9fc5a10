/// The teardown of a run.
struct Shutdown: Sendable {
  private let core: RunCore
  private let deadline: RunLifecycle.ShutdownDeadline?

  /// The time at which the teardown began, in nanoseconds.
  private let start: UInt64

  init(_ core: RunCore, _ deadline: RunLifecycle.ShutdownDeadline?, at now: UInt64) {
    self.core = core
    self.deadline = deadline
    start = now
  }

  /// The error of teardown steps that take too long; `nil` if there is no time limit.
  private var timeout: PebbleTimeout? {
    deadline.map { PebbleTimeout(pebble: "", limit: $0.limit, .shutdown) }
  }

  /// Tears down the run by running a pond whose bodies are the teardowns. Each pebble is torn down
  /// after the pebbles that it enabled, so dependents are torn down first.
  ///
  /// Everything is torn down, even after the time limit. At the limit, the teardown stops waiting
  /// for steps that have not ended, and begins the steps that follow them.
  ///
  /// - Parameter kept: The pebbles that a resuming run keeps; `nil` to tear down the whole run.
  /// - Returns: The report of the teardown.
  func tearDown(allBut kept: Set<Int>? = nil) async -> ShutdownReport {
    let order = order(allBut: kept)
    guard !order.pebbles.isEmpty else {
      return ShutdownReport(pondName: core.program.pond.graph.pondName, run: nil, pebbles: [])
    }
    let pondName = core.program.pond.graph.pondName
    let definition = PondDefinition(pondName: "shutdown of \(pondName)")
    var steps: [Pebble<Void>] = []
    for (step, pebble) in order.pebbles.enumerated() {
      let dependents = order.dependents(of: step).map { steps[$0].settled }
      let body = Body {
        guard let pebble else { return }
        let areAllDown = try await self.tearDownOnce(pebble)
        // A teardown that had begun before may take longer than this one is allowed to.
        if !areAllDown, let timeout { throw timeout }
      }
      // The names only have to be distinct; the report shows the names of the pebbles.
      steps.append(
        Pebble(
          reference: definition.append(
            "\(step)", needs: nil, when: .all(dependents),
            pebble.flatMap { core.program.options[UInt32($0)]?.placeOfTeardown }, body)))
    }
    let teardowns = Program(definition)
    definition.discard()
    var options = RunOptions()
    options.deadline = deadline?.time.subtractingSaturated(start)
    options.purpose = .teardown(timeout)
    options.executor = core.options.executor
    let run = RunCore(teardowns, core.clock.restarted(at: start), options)
    run.start()
    let end = await run.life.end.value()
    let shutdowns = core.life.read { $0.inner.shutdowns }
    return ShutdownReport(
      pondName: pondName, run: run.report(at: end),
      pebbles: order.pebbles.enumerated().compactMap { step, pebble in
        pebble.map { (step, core.name($0), shutdowns[$0] ?? []) }
      },
      // The reference is weak because the run keeps the report. A service that still runs keeps the
      // run.
      goesOn: { [weak core = self.core, pebbles = order.pebbles] step in
        guard let core, let pebble = pebbles[step] else { return false }
        return core.life.read { $0.isAbandoned(pebble) }
      })
  }

  private func order(allBut kept: Set<Int>?) -> TeardownOrder {
    let torn = core.life.change { life in
      let opened = core.opened(life)
      guard let kept else { return life.inner.shutdownBegins(with: opened) }
      return life.inner.pebblesToTearDown(among: opened).subtracting(kept)
    }
    guard !torn.isEmpty else { return TeardownOrder() }
    let history = DecisionHistory(core.storage.state, core.program.pond.operands)
    // A failed body has opened nothing, but the runs inside it may have.
    let stops = TeardownOrder(of: torn, history).stopping(before: core.program.stopsBefore)
    core.life.change { $0.inner.order = stops }
    return stops
  }

  /// Tears down one pebble, or waits for its teardown to end if the teardown has already begun.
  ///
  /// - Returns: Whether the teardown was over in time.
  private func tearDownOnce(_ pebble: Int) async throws -> Bool {
    let (known, own) = core.life.change { life in
      (life.teardownBegan(of: pebble), life.teardowns[pebble])
    }
    guard let known else {
      defer { own?.fulfill(()) }
      return try await tearDown(pebble)
    }
    return await core.waits(for: known, until: deadline?.time ?? .max)
  }

  /// Tears down one pebble. If the pebble is a service, it is stopped first. Then the output is
  /// undone, and finally, the runs inside the pebble are shut down.
  ///
  /// - Returns: Whether the runs inside the pebble were shut down in time.
  private func tearDown(_ pebble: Int) async throws -> Bool {
    let result = await Result { try await tearDownOwn(pebble) }
    let runs = core.life.change { $0.inner.close(pebble) }
    let reports = await core.shutDown(runs, by: deadline)
    core.life.change { $0.inner.shutdowns[pebble] = reports }
    try result.get()
    for report in reports { try report.check() }
    return runs.allSatisfy { $0.life.shutdown.fulfilled != nil }
  }

  private func tearDownOwn(_ pebble: Int) async throws {
    guard let options = core.program.options[UInt32(pebble)],
      core.storage.hasOpened(pebble, isService: options.isService),
      !core.life.read({ core.isLeftToNextProcess(pebble, $0) })
    else { return }
    let result = await Result {
      if options.service != nil, !(await stopService(pebble)) { throw ServiceError.didNotStop }
      let first = core.storage.values.payload(at: pebble)
      let output = core.life.change { $0.takeOutput(of: pebble, first: first) }
      if let output { try await Undoing(core, pebble).callTeardown(output) }
    }
    await core.recording?.journal.tornDown(pebble, result.failure, at: core.clock.now())
    try result.get()
  }

  /// Asks a service to stop, cancels it if it does not stop in time, and abandons it if it still
  /// does not stop.
  ///
  /// - Returns: Whether the service has ended.
  private func stopService(_ pebble: Int) async -> Bool {
    guard let (service, call) = core.take({ $0.stopRequested(pebble) }) else { return true }
    let stopping = ServiceStopping(core, pebble, call)
    stopping.begin(telling: service.stop)
    if await stopping.ends(by: service.hasEnded, deadline: deadline) { return true }
    return !core.take { $0.abandoned(pebble) }
  }

  /// Waits until all late outputs have been undone, but not beyond the deadline of the shutdown.
  func lateOutputsAreUndone() async {
    while true {
      let (pebbles, change) = core.life.read { ($0.undonePebbles, $0.change) }
      if pebbles.isEmpty { return }
      if await core.waits(for: change, until: deadline?.time ?? .max) {
        continue
      }
      guard let deadline else { return }
      for pebble in core.life.read({ $0.undonePebbles }) {
        let error = PebbleTimeout(pebble: core.name(pebble), limit: deadline.limit, .shutdown)
        core.lateTeardownFailed(error, at: pebble)
      }
      return
    }
  }
}

extension PebbleOptions {
  /// The options that determine where the pebble's teardown runs; `nil` if the pebble is not
  /// blocking and specifies no executor.
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
