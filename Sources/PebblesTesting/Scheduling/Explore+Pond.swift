import Pebbles
import PebblesAnalysis
import Synchronization

/// Runs a pond many times, bodies included, each time with its tasks in another order.
///
/// ```swift
/// try await explore(pond, schedules: .exhaustive()) { status in
///   status.running.count <= 2
/// }
/// ```
///
/// It fails if the invariant is false after a step, if a law is broken, if a body or a skip depends
/// on the order, or if a run would never end. Runs that are cancelled may differ: what has not
/// started by then is skipped. Runs with services or teardowns are shut down at their end.
///
/// Bodies run on one thread, wherever their pebbles would have them run (`executor:`, `blocking:`),
/// with all their child tasks; what is not part of a schedule is described with
/// ``explore(schedules:clock:timers:stepLimit:patience:_:)``. Bodies that share state with each
/// other should find it the same each time: hand in a closure that makes the pond instead. And
/// what is random should not be: give jitter, where there is any, a generator with a seed.
///
/// - Parameters:
///   - pond: The pond.
///   - schedules: The orders to try.
///   - clock: The clock of the runs, set back for each of them; also for bodies to sleep on.
///   - deadline: How long a run may take, on that clock.
///   - timers: When the clock may advance.
///   - laws: What is to be true of every run.
///   - outcomesMayDiffer: Whether bodies may end otherwise in one schedule than in another. What
///     follows from how they end must be the same all the same.
///   - stepLimit: After how many steps a run is given up, and cancelled.
///   - patience: How long, in real time, to wait for what runs elsewhere before it is taken that
///     nothing does.
///   - invariant: Called after each step, not on a task; it must be quick.
/// - Returns: What was tried.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails, ``ExplorationError`` if the
///   schedules cannot be meant, `ScenarioError` if a law is not about this pond,
///   `PondError` if the pond is defined wrongly, `CancellationError` if the calling task
///   is cancelled.
@discardableResult
public func explore(
  _ pond: Pond, schedules: Schedules, clock: TestClock = TestClock(), deadline: Duration? = nil,
  timers: Timers = .whenIdle, laws: [Law] = [], outcomesMayDiffer: Bool = false,
  stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  invariant: (@Sendable (RunStatus) -> Bool)? = nil
) async throws -> Exploration {
  let explorer = try Explorer(
    schedules, clock,
    ScheduleLoop.Options(
      timers: timers, stepLimit: stepLimit, patience: patience, expectsOutsideWork: true))
  return try await explorer.thread.call {
    try await explorer.explorePond(
      { _ in pond }, clock, deadline: deadline, laws, outcomesMayDiffer: outcomesMayDiffer,
      invariant)
  }
}

/// Runs a pond that is made anew for each schedule, with the state that its bodies share.
///
/// ```swift
/// try await explore({ clock in Boot(server: FakeServer(clock)).pond }, schedules: .random())
/// ```
///
/// - Parameters:
///   - makePond: Makes the pond, given the clock of the run: the same pebbles each time. As their
///     handles are not the same, laws are not asked for here.
///   - schedules: The orders to try.
///   - clock: The clock of the runs, set back for each of them.
///   - deadline: How long a run may take, on that clock.
///   - timers: When the clock may advance.
///   - outcomesMayDiffer: Whether bodies may end otherwise in one schedule than in another.
///   - stepLimit: After how many steps a run is given up, and cancelled.
///   - patience: How long, in real time, to wait for what runs elsewhere.
///   - invariant: Called after each step, not on a task; it must be quick.
/// - Returns: What was tried.
/// - Throws: What exploring one pond throws, and what `makePond` does.
@discardableResult
public func explore(
  _ makePond: @escaping @Sendable (TestClock) throws -> Pond, schedules: Schedules,
  clock: TestClock = TestClock(), deadline: Duration? = nil, timers: Timers = .whenIdle,
  outcomesMayDiffer: Bool = false, stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  invariant: (@Sendable (RunStatus) -> Bool)? = nil
) async throws -> Exploration {
  let explorer = try Explorer(
    schedules, clock,
    ScheduleLoop.Options(
      timers: timers, stepLimit: stepLimit, patience: patience, expectsOutsideWork: true))
  return try await explorer.thread.call {
    try await explorer.explorePond(
      makePond, clock, deadline: deadline, [], outcomesMayDiffer: outcomesMayDiffer, invariant)
  }
}

extension Explorer {
  fileprivate func explorePond(
    _ makePond: @escaping @Sendable (TestClock) throws -> Pond, _ clock: TestClock,
    deadline: Duration?, _ laws: [Law], outcomesMayDiffer: Bool,
    _ invariant: (@Sendable (RunStatus) -> Bool)?
  ) async throws -> Exploration {
    var explorer = self
    var expected: Endings?
    while true {
      let stage = Stage(invariant)
      let check: @Sendable () -> Bool = { stage.isInvariantKept() }
      let trial = await explorer.runNext(
        check: invariant == nil ? nil : check, givingUp: { stage.noteStatus() }
      ) {
        await stage.play(deadline: deadline, on: clock) { try makePond(clock) }
      }
      try Task.checkCancellation()
      try explorer.check(trial, stage.status)
      guard let report = try stage.report?.get() else {
        preconditionFailure("a schedule ended without a report")
      }
      for law in laws where try !report.keeps(law) {
        throw explorer.failure(.lawBroken("the law is broken: \(law.label)"), trial, report)
      }
      let endings = Endings(report)
      if let problem = (expected ?? endings).difference(to: endings, outcomesMayDiffer) {
        throw explorer.failure(.outcomesDiffer(problem), trial, report)
      }
      if expected == nil { expected = endings }
      if !explorer.goOn(after: trial) { return explorer.exploration }
    }
  }
}

/// One run of a pond under a schedule.
private final class Stage: Sendable {
  private struct State {
    var run: Run?
    var status: RunStatus?
    var report: Result<Report, any Error>?
  }

  private let invariant: (@Sendable (RunStatus) -> Bool)?
  private let state = Mutex(State())

  init(_ invariant: (@Sendable (RunStatus) -> Bool)?) {
    self.invariant = invariant
  }

  /// The status of the run when the invariant was broken, or when the run was given up.
  var status: RunStatus? { state.withLock(\.status) }

  var report: Result<Report, any Error>? { state.withLock(\.report) }

  func play(deadline: Duration?, on clock: TestClock, _ makePond: () throws -> Pond) async {
    let report = await Result {
      let pond = try makePond()
      let run = try pond.start(clock: clock, deadline: deadline)
      state.withLock { $0.run = run }
      return try await run.reportAfterShutdown(if: pond.definition.program().canBeTornDown)
    }
    state.withLock { $0.report = report }
  }

  func isInvariantKept() -> Bool {
    guard let invariant, let status = state.withLock(\.run)?.status else { return true }
    return invariant(status)
  }

  func noteStatus() {
    let status = state.withLock(\.run)?.status
    state.withLock { $0.status = status }
  }
}

extension Run {
  /// Waits for the end of the run, which is cancelled with the waiting task, and shuts it down.
  func reportAfterShutdown(if canBeTornDown: Bool) async throws -> Report {
    let report = try await withTaskCancellationHandler {
      try await self.report
    } onCancel: {
      cancel()
    }
    if canBeTornDown { try await shutdown() }
    return report
  }
}

/// How the pebbles of a run ended.
private struct Endings {
  private let names: [String]
  private let words: [Word]
  private let isCancelled: Bool

  private enum Word: String {
    case succeeded = "succeeded"
    case failed = "failed"
    case skipped = "was skipped"
  }

  init(_ report: Report) {
    isCancelled = report.isCancelled
    names = report.records.map(\.name)
    words = report.records.map { record in
      switch record.outcome {
      case .succeeded: .succeeded
      case .failed: .failed
      case .skipped: .skipped
      }
    }
  }

  /// What is different in another run, where bodies may or may not end otherwise; as a sentence,
  /// `nil` if nothing is.
  func difference(to other: Endings, _ bodiesMayDiffer: Bool) -> String? {
    guard names == other.names else {
      return "the pond has other pebbles than in the first schedule"
    }
    if words == other.words || isCancelled || other.isCancelled { return nil }
    // How bodies end comes first: the rest may follow from it.
    let body = names.indices.first { place in
      words[place] != other.words[place] && words[place] != .skipped
        && other.words[place] != .skipped
    }
    if body != nil, bodiesMayDiffer { return nil }
    guard let place = body ?? names.indices.first(where: { words[$0] != other.words[$0] }) else {
      return nil
    }
    return "\(names[place].swiftName) \(other.words[place].rawValue), but "
      + "\(words[place].rawValue) in the first schedule"
  }
}
