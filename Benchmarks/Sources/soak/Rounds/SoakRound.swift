import Pebbles

/// Plays one plan on a clock of its own, waits until all is over, and looks at what came of it.
struct SoakRound: Sendable {
  private let plan: SoakPlan
  private let clock: LeapingClock
  private let ledger = SoakLedger()
  private let soak: SoakPond

  init(_ plan: SoakPlan) {
    self.plan = plan
    clock = LeapingClock(plan.generator, mostTurns: plan.turnsBeforeLeaps)
    soak = SoakPond(plan, clock, ledger)
  }

  /// - Returns: What was not as it should be.
  func play() async -> [String] {
    do {
      var reports: [Report] = []
      switch plan.scenario {
      case .run(let isRepeated):
        reports = try await run(isRepeated: isRepeated)
        await rest(reports)
      case .start(let shutdowns):
        let run = try start(shutdowns)
        reports = [try await run.report]
        await watchEnd(of: run, reports[0], isShutDown: !shutdowns.isEmpty)
      case .refresh(let callers):
        reports = try await refresh(callers)
        await rest(reports)
      }
      var inspection = SoakInspection(plan, soak.handles, ledger, reports)
      inspection.inspect()
      return ledger.complaints + inspection.violations
    } catch {
      return ["the pond did not run: \(error)"]
    }
  }

  private func run(isRepeated: Bool) async throws -> [Report] {
    let first = try await run(learningFrom: nil)
    guard isRepeated else { return [first] }
    return [first, try await run(learningFrom: first)]
  }

  private func run(learningFrom earlier: Report?) async throws -> Report {
    let grant = makeGrant()
    let run = Task {
      try await soak.pond.run(
        clock: clock, deadline: plan.deadline, learningFrom: earlier, holding: grant)
    }
    disturb(at: plan.cancellation) { run.cancel() }
    let report = try await run.value
    watchLateBodies(report)
    return report
  }

  private func start(_ shutdowns: [SoakPlan.Shutdown]) throws -> Run {
    let run = try soak.pond.start(
      clock: clock, deadline: plan.deadline, holding: makeGrant(),
      eventHistory: plan.observation.keepsHistory ? 10_000 : 0)
    let observer = SoakObserver(run, plan.observation, clock)
    ledger.goOn {
      for sentence in await observer.contradictions(to: run) { ledger.complain(sentence) }
    }
    disturb(at: plan.cancellation) { run.cancel() }
    for shutdown in shutdowns {
      disturb(at: shutdown.moment) { await shutDown(run, within: shutdown.limit) }
    }
    ledger.goOn { await watchStatus(of: run) }
    return run
  }

  private func watchEnd(of run: Run, _ report: Report, isShutDown: Bool) async {
    watchLateBodies(report)
    if run.status.settled != plan.pebbles.count || run.status.phase == .booting {
      ledger.complain("the run has ended, but its status is \(run.status)")
    }
    if isShutDown { await shutDown(run, within: nil) }
    await rest([report])

    let isTornDown = report.shutdown != nil
    let isFailed = report.isCancelled || !isTornDown && !report.unhandledFailures.isEmpty
    let phase = run.status.phase
    if phase != (isFailed ? .failed : isTornDown ? .shutDown : .ready) {
      ledger.complain("in the end the status is \(phase) of \(report)")
    }
  }

  private func refresh(
    _ callers: [(begins: SoakPlan.Moment, isCancelled: SoakPlan.Moment?)]
  ) async throws -> [Report] {
    let refreshes = callers.map { caller in
      let refresh = Task {
        await caller.begins.pass(clock)
        return try await soak.pond.refresh(clock: clock, deadline: plan.deadline)
      }
      disturb(at: caller.isCancelled) { refresh.cancel() }
      return refresh
    }
    var reports: [RunIdentifier: Report] = [:]
    for refresh in refreshes {
      let report = try await refresh.value
      reports[report.identifier] = report
    }
    return Array(reports.values)
  }

  private func disturb(
    at moment: SoakPlan.Moment?, _ disturbance: @escaping @Sendable () async -> Void
  ) {
    guard let moment else { return }
    ledger.goOn {
      await moment.pass(clock)
      await disturbance()
    }
  }

  /// The background grant that the plan asks for.
  private func makeGrant() -> SoakGrant? {
    guard let planned = plan.grant else { return nil }
    let grant = SoakGrant(isRefused: planned.isRefused, ledger)
    disturb(at: planned.expiry) { grant.expire() }
    return grant
  }

  private func shutDown(_ run: Run, within limit: Duration?) async {
    do {
      let report = try await run.shutdown(deadline: limit)
      let known = try await run.report.shutdown
      if known?.description != report.description {
        ledger.complain("one shutdown has two reports: \(report) and \(String(describing: known))")
      }
    } catch {
      ledger.complain("the run cannot be shut down: \(error)")
    }
  }

  /// Those that go on although their pebbles have settled are named in the report.
  private func watchLateBodies(_ report: Report) {
    let before = ledger.bodiesUnderWay
    let named = report.records.map(\.isStillRunning)
    let after = ledger.bodiesUnderWay
    for ticket in before.intersection(after) where ticket.run == report.identifier {
      let isService = plan.pebbles[ticket.pebble].isService
      if !isService, !named[ticket.pebble] {
        ledger.complain("p\(ticket.pebble) goes on, and the report does not say so")
      }
    }
  }

  private func watchStatus(of run: Run) async {
    var settled = 0
    var isOver = false
    while !isOver {
      let status = run.status
      if status.settled < settled || status.total != plan.pebbles.count {
        ledger.complain("after \(settled) settled the status is \(status)")
      }
      settled = status.settled
      isOver = status.phase != .booting
      for _ in 0..<10 { await Task.yield() }
    }
  }

  /// Waits until everything has ended that goes on after a run: bodies that timed out, services,
  /// and teardowns that were given up.
  private func rest(_ reports: [Report]) async {
    clock.end()
    while ledger.underWay > 0 || !reports.allSatisfy(isAtRest) { await Task.yield() }
  }

  private func isAtRest(_ report: Report) -> Bool {
    var isTornDown = report.isCancelled && plan.pebbles.contains(where: \.canBeTornDown)
    for (record, pebble) in zip(report.records, plan.pebbles) {
      if record.isStillRunning { return false }
      guard pebble.isService, record.outcome.isSucceeded else { continue }
      if record.serviceEnd == nil { return false }
      if pebble.endsRun { isTornDown = true }
    }
    guard let shutdown = report.shutdown else { return !isTornDown }
    return !shutdown.records.contains(where: \.isStillRunning)
  }
}

extension SoakPlan.Observation {
  var keepsHistory: Bool {
    switch self {
    case .history: true
    case .nobody, .slow: false
    }
  }
}
