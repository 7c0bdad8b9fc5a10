import Pebbles
import Synchronization

/// An explorer that runs an operation under one schedule after another.
struct Explorer: Sendable {
  /// The thread that runs the schedules. The exploring task should run on it as well.
  let thread: LoopThread
  private let clock: TestClock
  private let schedules: Schedules
  private let options: ScheduleLoop.Options
  private var strategy: any Strategy

  private let beginning: TestClock.Instant
  private var count = 0
  private var mostSteps = 0
  private var outsideWork = ScheduleLoop.OutsideWork()

  init(
    _ schedules: Schedules, _ clock: TestClock, _ options: ScheduleLoop.Options
  ) throws(ExplorationError) {
    if options.stepLimit < 1 {
      throw .invalid("a schedule of \(options.stepLimit) steps does nothing; allow 1 or more")
    }
    strategy = try schedules.makeStrategy()
    thread = try LoopThread()
    self.schedules = schedules
    self.clock = clock
    self.options = options
    beginning = clock.now
  }

  /// The result of one schedule.
  struct Trial: Sendable {
    let ending: ScheduleLoop.Ending
    let number: Int
    fileprivate let seed: UInt64?
  }

  /// The result of all trials so far.
  var exploration: Exploration {
    Exploration(
      schedules: count, isComplete: strategy.isComplete,
      isDeterministic: !outsideWork.wasSeen && !strategy.hasDiverged, mostSteps: mostSteps)
  }

  /// Runs an operation under the next schedule.
  ///
  /// - Parameters:
  ///   - check: A closure that is called after each step, on the thread of the schedule. If it
  ///     returns `false`, the operation is abandoned.
  ///   - givingUp: A closure that is called on the same thread when the operation is abandoned,
  ///     before the operation is cancelled.
  ///   - operation: The operation to run. It is also abandoned if it gets stuck, exceeds the step
  ///     limit, or does not match the schedule to replay.
  /// - Returns: The result of the schedule.
  mutating func runNext(
    check: (@Sendable () -> Bool)? = nil, givingUp: @escaping @Sendable () -> Void = {},
    _ operation: @escaping @Sendable () async -> Void
  ) async -> Trial {
    let executor = ScheduledExecutor()
    clock.restart(at: beginning) { executor.sleeperArrived() }
    defer { clock.removeObserver() }
    // The task is made here and not on the thread, to inherit the task-local values of the
    // exploring task.
    let root = Task(executorPreference: executor) {
      await executor.callWithRuns(operation)
      executor.rootEnded()
    }
    let loop = ScheduleLoop(executor, clock, options, outsideWork, check: check)
    let (givingUp, strategy) = (givingUp, self.strategy)
    let ended = await withTaskCancellationHandler {
      await thread.perform {
        strategy.run(loop) {
          givingUp()
          root.cancel()
        }
      }
    } onCancel: {
      root.cancel()
    }
    self.strategy = ended.strategy
    let ending = ended.ending
    defer { count += 1 }
    mostSteps = max(mostSteps, ending.steps)
    outsideWork = ending.outsideWork
    return Trial(ending: ending, number: count, seed: strategy.seed)
  }

  /// Informs the strategy that a schedule has ended.
  ///
  /// - Returns: Whether there is another schedule.
  mutating func goOn(after trial: Trial) -> Bool {
    strategy.scheduleEnded(trial.ending)
  }

  /// Throws an error if an obstacle ended the schedule.
  func check(_ trial: Trial, _ status: RunStatus? = nil) throws(ScheduleFailure) {
    switch trial.ending.obstacle {
    case nil: break
    case .nothingRunnable:
      throw failure(.stuck(running: status?.running.map(\.name) ?? []), trial)
    case .tooManySteps(let count): throw failure(.tooManySteps(count), trial)
    case .checkFailed: throw failure(.invariantBroken(status), trial)
    case .misfit: throw failure(.replayDoesNotFit, trial)
    }
  }

  /// Throws an error if the schedule departed from the schedule to replay. This is checked last,
  /// because a failure during the replay is more informative than a mismatch.
  func checkReplay(_ trial: Trial, _ report: Report? = nil) throws(ScheduleFailure) {
    guard case .replay(let wanted?) = schedules.kind else { return }
    let text = wanted[trial.number].map { ScheduleLoop.Choice(index: $0, count: .max) }.text
    if trial.ending.choices.text != text { throw failure(.replayDoesNotFit, trial, report) }
  }

  /// Returns an error that describes the problem of a trial. `reference` is the schedule that the
  /// trial was compared with, or `nil` if there was no comparison.
  func failure(
    _ problem: ScheduleFailure.Problem.Detail, _ trial: Trial, _ report: Report? = nil,
    comparedWith reference: String? = nil
  ) -> ScheduleFailure {
    // A copy is informed of the end, to find out whether this schedule departed from the previous
    // one.
    var strategy = strategy
    _ = strategy.scheduleEnded(trial.ending)
    return ScheduleFailure(
      problem: .init(detail: problem), schedule: trial.ending.choices.text, reference: reference,
      number: trial.number, seed: trial.seed,
      isDeterministic: !trial.ending.hasOutsideWork && !strategy.hasDiverged,
      report: report, schedules: schedules)
  }
}

/// The ending of a loop, and the state of the strategy after the loop.
private struct EndedLoop: Sendable {
  let ending: ScheduleLoop.Ending
  let strategy: any Strategy
}

extension Strategy {
  /// Runs a loop with this strategy.
  fileprivate func run(_ loop: ScheduleLoop, cancel: () -> Void) -> EndedLoop {
    var (strategy, loop) = (self, loop)
    let ending = loop.run(&strategy, cancel: cancel)
    return EndedLoop(ending: ending, strategy: strategy)
  }
}
