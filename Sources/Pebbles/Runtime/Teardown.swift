import Synchronization

/// The undoing of one run: started at most once, joined by whoever asks for it as well.
final class Teardown: Sendable {
  private struct State {
    var limit: Duration?
    var task: Task<ShutdownReport, Never>?
    var report: ShutdownReport?
  }

  enum Progress {
    case notAskedFor, underway, done
  }

  private let state = Mutex(State())
  private let isPerformed = Settlement<Void>()

  /// What came of it, once it is over.
  var report: ShutdownReport? { state.withLock { $0.report } }

  var progress: Progress {
    state.withLock { state in
      state.report != nil ? .done : state.task != nil ? .underway : .notAskedFor
    }
  }

  /// Waits until the run has been torn down, by whomever. Called once.
  func performed() async {
    await isPerformed.value()
  }

  /// The shortest limit so far.
  var shortestLimit: Duration? { state.withLock(\.limit) }

  /// Limits the time of an undoing that has not begun.
  func limit(to limit: Duration?) {
    state.withLock { state in
      if let limit { state.limit = min(limit, state.limit ?? limit) }
    }
  }

  /// Tears the run down, or waits until that is done. The run must be over.
  func perform(_ core: RunCore) async -> ShutdownReport {
    let task = state.withLock { state in
      if let task = state.task { return task }
      let limit = state.limit
      // A task of its own: to cancel whoever waits must not cancel it.
      let task = Task(on: core.options.executor) {
        let report = await ContextSlot.$current.withValue(nil) {
          await core.tearDown(within: limit)
        }
        core.events.finish()
        core.storage.tornDown(report)
        self.state.withLock { $0.report = report }
        // Last, because who waits for it looks at the report.
        self.isPerformed.settle(())
        return report
      }
      state.task = task
      return task
    }
    return await task.value
  }
}

extension RunCore {
  /// Cancels the run if it is still going on, and tears it down. Returns at once.
  func shutDown(_ reason: RunCancellation, within limit: Duration? = nil) {
    teardown.limit(to: limit)
    if !crew.isOver { cancel(reason) }
    Task(on: options.executor) { [self] in
      _ = await ending.reached()
      _ = await teardown.perform(self)
    }
  }

  /// Tears down what has come up, in the reverse order of what enabled what: by running a pond of
  /// the teardowns, each of which waits for those of the pebbles that it has enabled.
  fileprivate func tearDown(within limit: Duration?) async -> ShutdownReport {
    let pondName = program.pond.graph.pondName
    guard let log = storage.state.settleLog else {
      return ShutdownReport(pondName: pondName, run: nil, pebbles: [])
    }
    let candidates = program.options.filter(\.value.canBeTornDown).keys.map(Int.init)
    let enabling = Enabling(storage.state, program.pond.operands, log.order)
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
    let end = await run.ending.reached()
    // Those whose turn did not come in time: nobody else would tell them.
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
