import Pebbles

/// A loop that runs the jobs of one schedule, one by one, on the calling thread. A strategy chooses
/// a task whenever several could run; the clock advances when none can run.
struct ScheduleLoop: Sendable {
  /// An obstacle that ended a schedule before its root task was done.
  enum Obstacle: Sendable {
    /// A standstill: every task was waiting for something other than the clock, and no other
    /// thread made a task runnable in time.
    case nothingRunnable
    case tooManySteps(Int)
    /// A failed check after a step.
    case checkFailed
    /// A recorded choice that was not possible in the replay.
    case misfit(choice: Int)
  }

  struct Ending: Sendable {
    var obstacle: Obstacle?
    /// The choices that were made, one for each step with more than one possibility.
    var choices: [Choice] = []
    /// The number of steps until the root task was done or abandoned. A step is a job, an advance
    /// of the clock, or a wait.
    var steps = 0
    /// Whether another thread made a task runnable or put a task to sleep on the clock. If so, the
    /// schedule may not be repeatable.
    var hasOutsideWork = false
    /// The exploration's observations of work on other threads, including those made so far in this
    /// schedule.
    var outsideWork: OutsideWork
  }

  /// An exploration's observations of work on other threads.
  struct OutsideWork: Sendable {
    /// Whether another thread has ever made a task runnable or put a task to sleep on the clock.
    var wasSeen = false
    /// The number of times the clock was advanced because no task could run.
    var advances = 0

    /// Whether to wait before the next advance of the clock. If no other thread has ever made a
    /// task runnable or put a task to sleep on the clock, it is unlikely that one ever will. To
    /// keep the cost low, the loop then waits only before the first advance, the second, the
    /// fourth, the eighth and so on.
    var waitsBeforeAdvance: Bool { wasSeen || (advances + 1) & advances == 0 }
  }

  /// A choice among several possibilities: the zero-based index of the chosen possibility, and the
  /// number of possibilities.
  struct Choice: Sendable, Hashable {
    let index: Int
    let count: Int
  }

  struct Options: Sendable {
    var timers = Timers.whenIdle
    var stepLimit = Int.max
    /// The real time to wait for work on other threads before the schedule is abandoned.
    var patience = Duration.seconds(1)
    /// The real time to wait for work on other threads before the clock is advanced; `nil` if there
    /// can be no such work.
    var grace: Duration?
  }

  private struct Job: Sendable {
    let job: UnownedJob
    /// The number of the task to which the job belongs. Tasks are numbered in the order in which
    /// they first become runnable.
    let task: Int
  }

  private let executor: ScheduledExecutor
  private let clock: TestClock
  private let options: Options
  private let check: (@Sendable () -> Bool)?

  private var runnable: [Job] = []
  private var tasks: [UnownedJob.Identity: Int] = [:]
  private var taskCount = 0
  private var ending: Ending

  /// The number of jobs after which each of the two passes of `finish()` stops.
  private static let mostLateSteps = 100_000

  init(
    _ executor: ScheduledExecutor, _ clock: TestClock, _ options: Options,
    _ outsideWork: OutsideWork, check: (@Sendable () -> Bool)?
  ) {
    self.executor = executor
    self.clock = clock
    self.options = options
    self.check = check
    ending = Ending(outsideWork: outsideWork)
  }

  /// Runs jobs until the root task is done or abandoned.
  ///
  /// - Parameters:
  ///   - strategy: The strategy that chooses among the tasks.
  ///   - cancel: A closure that is called if the root task is abandoned.
  /// - Returns: The end of the schedule.
  mutating func run(_ strategy: inout some Strategy, cancel: () -> Void) -> Ending {
    executor.begin()
    while ending.obstacle == nil, !executor.isRootDone {
      takeArrivals()
      if runnable.isEmpty {
        waitOrAdvance()
      } else {
        step(&strategy)
      }
    }
    if ending.obstacle != nil { cancel() }
    let ending = ending
    finish()
    return ending
  }

  private mutating func step(_ strategy: inout some Strategy) {
    guard beginStep() else { return }
    let index = choose(&strategy)
    guard ending.obstacle == nil else { return }
    if index < runnable.count {
      run(runnable.remove(at: index).job)
    } else {
      clock.advanceToNextSleeper()
    }
    endStep()
  }

  /// Counts a step, unless the step limit has been reached.
  ///
  /// - Returns: Whether the step may be taken.
  private mutating func beginStep() -> Bool {
    if ending.steps >= options.stepLimit {
      ending.obstacle = .tooManySteps(ending.steps)
      return false
    }
    ending.steps += 1
    return true
  }

  private mutating func endStep() {
    if let check, !check() { ending.obstacle = .checkFailed }
  }

  private mutating func choose(_ strategy: inout some Strategy) -> Int {
    let canAdvance = options.timers == .anytime && clock.hasSleepers
    guard runnable.count > 1 || canAdvance else { return 0 }
    var tasks = runnable.map(\.task)
    if canAdvance { tasks.append(Self.clockTask) }
    let index = strategy.choose(among: tasks, step: ending.steps)
    guard tasks.indices.contains(index) else {
      ending.obstacle = .misfit(choice: ending.choices.count)
      return 0
    }
    ending.choices.append(Choice(index: index, count: tasks.count))
    return index
  }

  /// The number that stands for an advance of the clock in the list of tasks to choose from.
  private static let clockTask = -1

  /// Waits for work on other threads, or advances the clock. This method is called when no task can
  /// run.
  private mutating func waitOrAdvance() {
    // A wait counts as a step too. Otherwise tasks on other threads that keep falling asleep and
    // being cancelled would have no end.
    guard beginStep() else { return }
    guard clock.hasSleepers else {
      if !executor.waitForOutside(atMost: options.patience) { ending.obstacle = .nothingRunnable }
      return
    }
    if let grace = options.grace, ending.outsideWork.waitsBeforeAdvance {
      // Most work on other threads is on the main actor, and comes back soon.
      MainActor.letWaitingJobsRun(atMost: options.patience)
      if executor.waitForOutside(atMost: grace) { return }
    }
    ending.outsideWork.advances += 1
    clock.advanceToNextSleeper()
    endStep()
  }

  /// Runs the remaining jobs of the schedule in order of arrival, up to a limit, and passes the
  /// rest to the concurrency pool. None of these jobs can affect the result any more.
  private mutating func finish() {
    for _ in 0..<2 {
      var steps = 0
      takeArrivals()
      while !runnable.isEmpty, steps < Self.mostLateSteps {
        let jobs = runnable
        runnable.removeAll(keepingCapacity: true)
        for job in jobs { run(job.job) }
        steps += jobs.count
        takeArrivals()
      }
      clock.cancelSleepers()
    }
    executor.end(leaving: runnable.map(\.job))
  }

  private mutating func takeArrivals() {
    while true {
      let arrivals = executor.takeArrivals()
      if arrivals.areFromOutside {
        ending.hasOutsideWork = true
        ending.outsideWork.wasSeen = true
      }
      if arrivals.jobs.isEmpty { return }
      var wakeUps: [UnownedJob] = []
      for job in arrivals.jobs {
        switch job.identity {
        case .wakeUp: wakeUps.append(job)
        case .unknown: add(job, task: makeTask())
        case .task(let number): add(job, task: task(.task(number)))
        }
      }
      // These jobs run at once, because it makes no difference whether they run sooner or later.
      for job in wakeUps { run(job) }
    }
  }

  private mutating func add(_ job: UnownedJob, task: Int) {
    runnable.append(Job(job: job, task: task))
  }

  private mutating func task(_ identity: UnownedJob.Identity) -> Int {
    if let known = tasks[identity] { return known }
    let task = makeTask()
    tasks[identity] = task
    return task
  }

  private mutating func makeTask() -> Int {
    defer { taskCount += 1 }
    return taskCount
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(on: executor.asUnownedTaskExecutor())
  }
}

extension MainActor {
  /// Blocks the thread until the main actor has run the jobs that were waiting for it, or until
  /// `patience` has elapsed.
  fileprivate static func letWaitingJobsRun(atMost patience: Duration) {
    let hasHadTurn = Monitor(false)
    Task { @MainActor in
      hasHadTurn.withLock { content in
        content = true
        hasHadTurn.notifyAll()
      }
    }
    _ = hasHadTurn.wait(atMost: patience) { $0 ? true : nil }
  }
}
