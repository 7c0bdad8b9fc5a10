import Pebbles

/// An executor that collects the jobs of all tasks that prefer it. A ``ScheduleLoop`` runs these
/// jobs one by one.
///
/// Each schedule has its own executor. Jobs that remain when the schedule is over go to the
/// concurrency pool, where they would have run without the executor.
final class ScheduledExecutor: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    /// The thread of the loop; `nil` before the loop begins.
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

  /// The jobs that have arrived since the previous arrivals were taken.
  struct Arrivals {
    let jobs: [UnownedJob]
    /// Whether a thread other than the loop's thread made a job ready or put a task to sleep.
    let areFromOutside: Bool
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = state.withLock { state in
      if state.isOver { return true }
      state.jobs.append(job)
      wakeLoop(&state)
      return false
    }
    if isOver { globalConcurrentExecutor.enqueue(job) }
  }

  /// Records that a task on the calling thread has fallen asleep on the clock.
  func sleeperArrived() {
    state.withLock { wakeLoop(&$0) }
  }

  /// Wakes the loop if it runs on a thread other than the calling thread.
  private func wakeLoop(_ state: inout State) {
    guard let thread = state.thread, thread != .current else { return }
    state.hasNewsFromOutside = true
    self.state.notifyAll()
  }

  /// Records that the root task, which started all other tasks, is done.
  func rootEnded() {
    state.withLock { state in
      state.isRootDone = true
      if state.thread != .current { self.state.notifyAll() }
    }
  }

  var isRootDone: Bool { state.withLock(\.isRootDone) }

  /// Records that the loop runs its jobs on the calling thread.
  func begin() {
    state.withLock { $0.thread = .current }
  }

  func takeArrivals() -> Arrivals {
    state.withLock { $0.takeArrivals() }
  }

  /// Blocks until a job arrives, a task on another thread falls asleep on the clock, the root task
  /// is done, or the given time has elapsed.
  ///
  /// - Returns: Whether any of these events occurred within the given time.
  func waitForOutside(atMost time: Duration) -> Bool {
    state.wait(atMost: time) { state in
      state.jobs.isEmpty && !state.hasNewsFromOutside && !state.isRootDone ? nil : true
    } ?? false
  }

  /// Sends the remaining jobs, and all future ones, to the concurrency pool.
  func end(leaving rest: [UnownedJob]) {
    let jobs = state.withLock { state in
      state.isOver = true
      return state.takeArrivals().jobs
    }
    for job in rest + jobs { globalConcurrentExecutor.enqueue(job) }
  }
}
