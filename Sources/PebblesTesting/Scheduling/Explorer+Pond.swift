import Pebbles
import PebblesAnalysis
import Synchronization

/// A function that makes a pond and returns it with the laws that its runs must obey.
typealias PondSource = @Sendable () throws -> (pond: Pond, laws: [Law])

extension Explorer {
  /// Runs a pond under one schedule after another, until a run fails or no schedule is left.
  func explorePond(
    within limit: Duration?, on clock: TestClock, outcomesMayDiffer: Bool,
    _ invariant: (@Sendable (RunStatus) -> Bool)?, _ source: @escaping PondSource
  ) async throws -> Exploration {
    var explorer = self
    var references = ReferenceRuns(outcomesMayDiffer: outcomesMayDiffer)
    while true {
      let scheduledRun = ScheduledRun(invariant)
      let check: @Sendable () -> Bool = { scheduledRun.isInvariantKept() }
      let trial = await explorer.runNext(
        check: invariant == nil ? nil : check, givingUp: { scheduledRun.giveUp() }
      ) {
        await scheduledRun.run(within: limit, on: clock, source)
      }
      try Task.checkCancellation()
      // Checked before the obstacle that ended the run, because the law was broken earlier.
      if let law = try scheduledRun.brokenLaw?.get() {
        throw explorer.failure(.lawBroken(law), trial)
      }
      try explorer.check(trial, scheduledRun.status)
      guard let report = try scheduledRun.report?.get() else {
        preconditionFailure("a schedule ended without a report")
      }
      if let law = try scheduledRun.laws.first(where: { try !report.keeps($0) }) {
        throw explorer.failure(.lawBroken("the law is broken: \(law.shortLabel)"), trial, report)
      }
      // Cancelled runs may differ in the pebbles that still start.
      if !report.isCancelled,
        let difference = references.difference(to: RunEndings(report), of: trial)
      {
        throw explorer.failure(
          .outcomesDiffer(difference.sentence), trial, report,
          comparedWith: difference.schedule)
      }
      try explorer.checkReplay(trial, report)
      if !explorer.goOn(after: trial) { return explorer.exploration }
    }
  }
}

/// One run of a pond under a schedule.
private final class ScheduledRun: Sendable {
  private struct State {
    var run: Run?
    var laws: [Law] = []
    var status: RunStatus?
    var brokenLaw: Result<String?, any Error>?
    var report: Result<Report, any Error>?
  }

  private let invariant: (@Sendable (RunStatus) -> Bool)?
  private let state = Mutex(State())

  init(_ invariant: (@Sendable (RunStatus) -> Bool)?) {
    self.invariant = invariant
  }

  var laws: [Law] { state.withLock(\.laws) }

  /// The status of the run when it was abandoned; `nil` if it was not abandoned.
  var status: RunStatus? { state.withLock(\.status) }

  /// The result of checking the laws when the run was abandoned; `nil` if the run was not
  /// abandoned. A successful result contains a sentence about the first broken law, or `nil` if no
  /// law was broken.
  var brokenLaw: Result<String?, any Error>? { state.withLock(\.brokenLaw) }

  var report: Result<Report, any Error>? { state.withLock(\.report) }

  func run(within limit: Duration?, on clock: TestClock, _ source: PondSource) async {
    let report = await Result {
      let (pond, laws) = try source()
      let run = try pond.start(clock: clock, within: limit)
      state.withLock { state in
        state.run = run
        state.laws = laws
      }
      return try await run.reportAfterShutdown(if: pond.program().hasTeardowns)
    }
    state.withLock { $0.report = report }
  }

  func isInvariantKept() -> Bool {
    guard let invariant, let status = state.withLock(\.run)?.status else { return true }
    return invariant(status)
  }

  /// Records the status of the run before it is cancelled, and the first broken law, if any.
  func giveUp() {
    guard let run = state.withLock(\.run) else { return }
    let brokenLaw = Result { try laws.first { try run.breaks($0) } }
    let status = run.status
    state.withLock { state in
      state.status = status
      state.brokenLaw = brokenLaw.map { law in
        law.map {
          "the law was already broken when the run was abandoned: \($0.shortLabel)"
        }
      }
    }
  }
}

extension Run {
  /// Returns whether the outcomes so far are enough to break a law.
  fileprivate func breaks(_ law: Law) throws(UnknownPebbleError) -> Bool {
    try storage.value(of: law.condition, saidBy: law.label) == false
  }
}

extension Run {
  /// Waits for the run to end, shuts it down if `hasTeardowns` is `true` or anything is left to
  /// tear down, and returns its report. Cancels the run if the calling task is cancelled.
  func reportAfterShutdown(if hasTeardowns: Bool) async throws -> Report {
    let report = try await withTaskCancellationHandler {
      try await self.report
    } onCancel: {
      cancel()
    }
    if hasTeardowns || hasOpened { try await shutdown() }
    return report
  }
}
