import Pebbles

/// Collects the jobs of all tasks that prefer it, for a ``ScheduleLoop`` to run one by one.
///
/// There is one for each schedule. What is left of it when the schedule is over goes on where it
/// would have without it: on the concurrency pool.
final class ScheduledExecutor: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    /// The thread of the loop, once there is one.
    var thread: ThreadIdentity?
    var hasNewsFromOutside = false
    var isRootDone = false
    var isOver = false

    mutating func takeArrivals() -> Arrivals {
      defer {
        jobs.removeAll(keepingCapacity: true)
        hasNewsFromOutside = false
      }
      return Arrivals(jobs: jobs, areFromOutside: hasNewsFromOutside)
    }
  }

  private let state = Monitor(State())

  /// What has come since the last look.
  struct Arrivals {
    let jobs: [UnownedJob]
    /// Whether one of them was made ready by another thread than that of the loop, or a task fell
    /// asleep there.
    let areFromOutside: Bool
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = ThreadIdentity.current
    let (isFromOutside, isOver) = state.withLock { state in
      if state.isOver { return (false, true) }
      state.jobs.append(job)
      let isFromOutside = state.thread != nil && state.thread != thread
      if isFromOutside { state.hasNewsFromOutside = true }
      return (isFromOutside, false)
    }
    if isFromOutside { state.notifyAll() }
    if isOver { globalConcurrentExecutor.enqueue(job) }
  }

  /// A task has fallen asleep on the clock, on the calling thread.
  func sleeperArrived() {
    let thread = ThreadIdentity.current
    let isFromOutside = state.withLock { state in
      let isFromOutside = state.thread != nil && state.thread != thread
      if isFromOutside { state.hasNewsFromOutside = true }
      return isFromOutside
    }
    if isFromOutside { state.notifyAll() }
  }

  /// The task that all others come from has done all it had to.
  func rootEnded() {
    let isFromOutside = state.withLock { state in
      state.isRootDone = true
      return state.thread != ThreadIdentity.current
    }
    if isFromOutside { state.notifyAll() }
  }

  var isRootDone: Bool { state.withLock(\.isRootDone) }

  /// The calling thread is the one that runs the jobs.
  func begin() {
    state.withLock { $0.thread = .current }
  }

  func takeArrivals() -> Arrivals {
    state.withLock { $0.takeArrivals() }
  }

  /// Blocks until a job comes, a task elsewhere falls asleep on the clock, or the root is done.
  ///
  /// - Returns: Whether that was so, within the time given.
  func waitForOutside(atMost time: Duration) -> Bool {
    state.wait(atMost: time) { state in
      state.jobs.isEmpty && !state.hasNewsFromOutside && !state.isRootDone ? nil : true
    } ?? false
  }

  /// From now on jobs go elsewhere, and so do those that have not been run.
  func end(leaving rest: [UnownedJob]) {
    let jobs = state.withLock { state in
      state.isOver = true
      return state.takeArrivals().jobs
    }
    for job in rest + jobs { globalConcurrentExecutor.enqueue(job) }
  }
}
