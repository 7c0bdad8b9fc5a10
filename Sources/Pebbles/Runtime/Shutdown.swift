/// Tears a run down.
struct Shutdown: Sendable {
  private let core: RunCore
  private let deadline: RunLifecycle.ShutdownDeadline?

  /// When it began.
  private let start: UInt64

  init(_ core: RunCore, _ deadline: RunLifecycle.ShutdownDeadline?, at now: UInt64) {
    self.core = core
    self.deadline = deadline
    start = now
  }

  /// What fails with this takes longer than it may.
  private var timeout: PebbleTimeout? {
    deadline.map { PebbleTimeout(pebble: "", limit: $0.limit, .shutdown) }
  }

  /// Tears down what has come up, in the reverse order of what enabled what: by running a pond of
  /// the teardowns, each of which waits for those of the pebbles that it has enabled.
  ///
  /// However late it is, everything is torn down. But nothing that has not ended at the limit is
  /// waited for: what comes after it begins all the same.
  ///
  /// - Parameter kept: What stays up of a run that another one resumes; `nil` at the end.
  /// - Returns: What came of it.
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
        // What was being shut down already may take longer than this may.
        if !areAllDown, let timeout { throw timeout }
      }
      // The names only have to differ; a report says those of the pebbles.
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
      })
  }

  private func order(allBut kept: Set<Int>?) -> TeardownOrder {
    let torn = core.life.change { life in
      let opened = core.opened(life)
      guard let kept else { return life.inner.shutdownBegins(with: opened) }
      return life.inner.pebblesToTearDown(among: opened).subtracting(kept)
    }
    guard !torn.isEmpty else { return TeardownOrder() }
    let enabling = DecisionHistory(core.storage.state, core.program.pond.operands)
    // A body that has failed has opened nothing, but the runs inside of it may have.
    let stops = TeardownOrder(of: torn, enabling).stopping(before: core.program.stopsBefore)
    if kept == nil { core.life.change { $0.inner.order = stops } }
    return stops
  }

  /// Tears one pebble down, unless that is being done already.
  ///
  /// - Returns: Whether all that was over in time.
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

  /// Tears one pebble down: in the reverse order of how its body opened what there is. A service
  /// ends first, then what it has returned is undone, then what it runs inside of it is shut down.
  ///
  /// - Returns: Whether all that was over in time.
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
      core.storage.hasOpened(pebble, isService: options.isService)
    else { return }
    if options.service != nil, !(await stopService(pebble)) {
      throw ServiceError.didNotStop
    }
    let first = core.storage.values.payload(at: pebble)
    guard let output = core.life.change({ $0.takeOutput(of: pebble, first: first) }) else { return }
    let result = await Result { try await Undoing(core, pebble).callTeardown(output) }
    if !options.isService {
      await core.recording?.journal.tornDown(pebble, result.failure, at: core.clock.now())
    }
    try result.get()
  }

  /// Has a service stopped: asked first, cancelled after the time that it has for that, and given
  /// up where that does not help.
  ///
  /// - Returns: Whether it has ended.
  private func stopService(_ pebble: Int) async -> Bool {
    guard let (service, call) = core.take({ $0.stopRequested(pebble) }) else { return true }
    let stopping = Stopping(core, pebble, call)
    SelfAwaitingRuns.recheck(core)
    stopping.begin(telling: service.stop)
    if await stopping.ends(by: service.hasEnded, deadline: deadline) { return true }
    return !core.take { $0.abandoned(pebble) }
  }

  /// Waits for what is being undone at the end of a shutdown, for as long as that may still take.
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
        core.storage.lateTeardownFailed(error, at: pebble)
      }
      return
    }
  }
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
