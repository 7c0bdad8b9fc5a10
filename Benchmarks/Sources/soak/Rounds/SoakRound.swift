import Pebbles

/// A round of the soak. It runs a plan on a separate clock, waits until all work has ended, and
/// inspects the result.
struct SoakRound: Sendable {
  private let plan: SoakPlan
  private let clock: LeapingClock
  private let ledger: SoakLedger
  private let soak: SoakPond

  init(_ plan: SoakPlan) {
    self.plan = plan
    ledger = SoakLedger(plan.pebbles)
    clock = LeapingClock(plan.generator, mostTurns: plan.turnsBeforeLeaps)
    soak = SoakPond(plan, clock, ledger)
  }

  /// Runs the round.
  ///
  /// - Returns: The violations found.
  func run() async -> [String] {
    do {
      var reports: [Report] = []
      switch plan.scenario {
      case .run(let isRepeated):
        reports = try await run(isRepeated: isRepeated)
        await rest(reports)
      case .start(let shutdowns):
        let run = try start(shutdowns)
        reports = [try await run.report]
        await watchEnd(of: run, reports[0])
      case .untilSignal(let moment, let limit):
        let run = try start(untilSignalAt: moment, limit)
        reports = [try await run.reportAfterShutdown()]
        await watchEnd(of: run, reports[0])
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
        clock: clock, within: plan.within, learningFrom: earlier, holding: grant)
    }
    disturb(at: plan.cancellation) { run.cancel() }
    let report = try await run.value
    watchLateBodies(report)
    return report
  }

  private func start(_ shutdowns: [SoakPlan.Shutdown]) throws -> Run {
    let run = try soak.pond.start(
      clock: clock, within: plan.within, holding: makeGrant(),
      eventHistory: plan.observation.keepsHistory ? 10_000 : 0)
    watch(run)
    for shutdown in shutdowns {
      disturb(at: shutdown.moment) { await shutDown(run, within: shutdown.limit) }
    }
    return run
  }

  private func start(untilSignalAt moment: SoakPlan.Moment, _ limit: Duration?) throws -> Run {
    let signal = SoakSignal.next()
    let run = try soak.pond.start(
      untilSignal: [signal.signal], clock: clock, within: plan.within,
      shutdownWithin: limit, eventHistory: plan.observation.keepsHistory ? 10_000 : 0)
    watch(run)
    disturb(at: moment) { signal.send() }
    return run
  }

  private func watch(_ run: Run) {
    let observer = SoakObserver(run, plan.observation, clock)
    ledger.goOn {
      for sentence in await observer.contradictions(to: run) { ledger.complain(sentence) }
    }
    disturb(at: plan.cancellation) { run.cancel() }
    ledger.goOn { await watchStatus(of: run) }
  }

  private func watchEnd(of run: Run, _ report: Report) async {
    watchLateBodies(report)
    if run.status.settled != plan.pebbles.count || run.status.phase == .booting {
      ledger.complain("the run has ended, but its status is \(run.status)")
    }
    if plan.isShutDown { await shutDown(run, within: nil) }
    await rest([report])

    // A service of a running run may go down between two looks.
    let before = phase(of: report)
    let phase = run.status.phase
    if phase != before, phase != self.phase(of: report) {
      ledger.complain("in the end the status is \(phase) of \(report)")
    }
  }

  /// Returns the phase that is expected in the status of a run with this report.
  private func phase(of report: Report) -> RunStatus.Phase {
    let isTornDown = report.shutdown != nil
    let isFailed =
      isTornDown
      ? report.exitCode != 0 : report.isCancelled || !report.unhandledFailures.isEmpty
    return isFailed ? .failed : isTornDown ? .shutDown : .over
  }

  private func refresh(
    _ callers: [(begins: SoakPlan.Moment, isCancelled: SoakPlan.Moment?)]
  ) async throws -> [Report] {
    let refreshes = callers.map { caller in
      let refresh = Task {
        await caller.begins.pass(clock)
        return try await soak.pond.refresh(clock: clock, within: plan.within)
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

  /// Creates the planned background grant; `nil` if no grant is planned.
  private func makeGrant() -> SoakGrant? {
    guard let planned = plan.grant else { return nil }
    let grant = SoakGrant(isRefused: planned.isRefused, ledger)
    disturb(at: planned.expiry) { grant.expire() }
    return grant
  }

  private func shutDown(_ run: Run, within limit: Duration?) async {
    do {
      let report = try await run.shutdown(within: limit)
      let known = try await run.report.shutdown
      if known?.description != report.description {
        ledger.complain("one shutdown has two reports: \(report) and \(String(describing: known))")
      }
      if !plan.hasShutdownLimit { watchServices(after: report, try await run.report) }
    } catch {
      ledger.complain("the run cannot be shut down: \(error)")
    }
  }

  /// Checks that the report marks each settled pebble whose body is still running. Services are not
  /// checked.
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

  /// Checks that, after a shutdown without a time limit, no service is running except those that
  /// were given up.
  private func watchServices(after shutdown: ShutdownReport, _ report: Report) {
    for ticket in ledger.bodiesUnderWay where ticket.run == report.identifier {
      let record = report.records[ticket.pebble]
      guard plan.pebbles[ticket.pebble].isService, record.outcome.isSucceeded,
        ticket.attempt >= record.attempts.count
      else { continue }
      let own = shutdown.records.first { plan.position(of: $0.pebble) == ticket.pebble }
      if own?.error as? ServiceError != .didNotStop {
        ledger.complain("the service p\(ticket.pebble) goes on after the shutdown: \(shutdown)")
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

  /// Waits for all work that outlives the runs to end: bodies that timed out, services, and
  /// teardowns that were given up.
  private func rest(_ reports: [Report]) async {
    clock.end()
    while ledger.underWay > 0 || !reports.allSatisfy(isAtRest) { await Task.yield() }
    // The end of late closings cannot be awaited.
    let begun = ContinuousClock.now
    while ContinuousClock.now - begun < Self.patience, !isAllClosed(reports) { await Task.yield() }
  }

  /// The time limit, in real time, for closing all resources.
  private static let patience = Duration.seconds(10)

  private func isAllClosed(_ reports: [Report]) -> Bool {
    if ledger.underWay > 0 { return false }
    var inspection = SoakInspection(plan, soak.handles, ledger, reports)
    inspection.inspectClosing()
    return inspection.violations.isEmpty
  }

  private func isAtRest(_ report: Report) -> Bool {
    var isTornDown = report.isCancelled && plan.pebbles.contains(where: \.canBeTornDown)
    for (record, pebble) in zip(report.records, plan.pebbles) {
      if record.isStillRunning { return false }
      guard pebble.isService, record.outcome.isSucceeded else { continue }
      if record.serviceEnd == nil { return false }
      if pebble.endsRun, record.serviceEnd?.wasAsked == false { isTornDown = true }
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
