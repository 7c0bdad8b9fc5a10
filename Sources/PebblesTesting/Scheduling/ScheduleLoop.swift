import Pebbles

/// Runs the jobs of one schedule, one by one, on the calling thread: whenever several could go on,
/// a strategy chooses which one does, and when none can, time passes.
struct ScheduleLoop: Sendable {
  /// What ended a schedule before its root task was done.
  enum Obstacle: Sendable {
    /// Nothing could go on, no task slept, and nothing came from outside.
    case nothingRunnable
    case tooManySteps(Int)
    /// The check after a step failed.
    case checkFailed
    /// A choice that was to be repeated was not there.
    case misfit(choice: Int)
  }

  struct Ending: Sendable {
    var obstacle: Obstacle?
    /// What was chosen wherever there was a choice.
    var choices: [Choice] = []
    /// How many jobs were run, and how often there was none, while the root task went on.
    var steps = 0
    /// Whether something came from another thread, so that this may not repeat.
    var hasOutsideWork = false
    /// What the exploration has learned up to now.
    var experience: Experience
  }

  /// What an exploration has learned of what runs elsewhere.
  struct Experience: Sendable {
    /// Whether anything has ever come from another thread.
    var hasOutsideWork = false
    /// How often the clock was advanced as nothing could go on.
    var advances = 0

    /// Whether the next advance is worth a wait. If nothing has ever come from elsewhere, most
    /// likely nothing will; so that costs next to nothing, only the first advance is, the second,
    /// the fourth, the eighth and so on.
    var isWary: Bool { hasOutsideWork || (advances + 1) & advances == 0 }
  }

  /// One of several possibilities, from 0.
  struct Choice: Sendable, Hashable {
    let index: Int
    let count: Int
  }

  struct Options: Sendable {
    var timers = Timers.whenIdle
    var stepLimit = Int.max
    /// How long, in real time, to wait for what is not on the executor before giving up.
    var patience = Duration.seconds(1)
    /// How long, in real time, to wait for that before the clock is advanced; `nil` if there is
    /// nothing to wait for.
    var grace: Duration?
  }

  private struct Job: Sendable {
    let job: UnownedJob
    /// Which task it is part of, by the order in which tasks first became runnable.
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

  /// How many jobs are run, for the schedule to end tidily, after its root is done or given up.
  private static let mostLateSteps = 100_000

  init(
    _ executor: ScheduledExecutor, _ clock: TestClock, _ options: Options,
    _ experience: Experience, check: (@Sendable () -> Bool)?
  ) {
    self.executor = executor
    self.clock = clock
    self.options = options
    self.check = check
    ending = Ending(experience: experience)
  }

  /// Runs jobs until the root task is done or cannot be.
  ///
  /// - Parameters:
  ///   - strategy: Chooses.
  ///   - cancel: Called if the root task is given up.
  /// - Returns: How it went.
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

  /// - Returns: Whether there may be another one.
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

  /// The passing of time, as something that a strategy can choose.
  private static let clockTask = -1

  /// Nothing can go on: what runs elsewhere has to come back, or time to pass.
  private mutating func waitOrAdvance() {
    // Also for a wait, or those elsewhere who only ever fall asleep and are cancelled have no end.
    guard beginStep() else { return }
    guard clock.hasSleepers else {
      if !executor.waitForOutside(atMost: options.patience) { ending.obstacle = .nothingRunnable }
      return
    }
    if let grace = options.grace, ending.experience.isWary {
      // Most of what is elsewhere is on the main actor, and soon back.
      MainActor.letWaitingJobsRun(atMost: options.patience)
      if executor.waitForOutside(atMost: grace) { return }
    }
    ending.experience.advances += 1
    clock.advanceToNextSleeper()
    endStep()
  }

  /// Lets what the root has left behind come to its end, in the order it comes; nothing of it can
  /// make a difference any more.
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
        ending.experience.hasOutsideWork = true
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
      // At once, because whether they come sooner or later makes no difference.
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
  /// Blocks the thread until the main actor has had a turn for all that was waiting for one.
  fileprivate static func letWaitingJobsRun(atMost patience: Duration) {
    let hasHadTurn = Monitor(false)
    Task { @MainActor in
      hasHadTurn.withLock { $0 = true }
      hasHadTurn.notifyAll()
    }
    _ = hasHadTurn.wait(atMost: patience) { $0 ? true : nil }
  }
}
