import Synchronization

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// A small set of threads on which blocking bodies run, outside of Swift's concurrency pool.
///
/// The pool has one thread per core. If blocking bodies occupied all of these threads, they would
/// delay every task of the program, including the task that would unblock them. On separate
/// threads, blocking bodies delay only each other. When all threads are busy, a body waits until a
/// thread is free (see `BlockingThreadAdmission`). Therefore, blocking bodies must not wait for one
/// another.
///
/// A thread is created when there is work and no thread is free, and ends after being idle for a
/// while. A program without blocking bodies has no such threads. The threads keep their executor
/// alive.
final class BlockingThreads: TaskExecutor {
  /// The threads shared by all ponds. Tests replace them for their own runs.
  @TaskLocal static var shared = BlockingThreads()

  /// A function that starts a thread and calls its argument on that thread. It returns whether the
  /// thread was started.
  typealias Launch = @Sendable (@escaping @Sendable () -> Void) -> Bool

  private let limit: Int
  private let idleTime: Duration
  private let launch: Launch
  private let state = Monitor(State())
  private let admission: Mutex<BlockingThreadAdmission>

  /// Creates an executor that has no threads yet.
  ///
  /// - Parameters:
  ///   - limit: The usual maximum number of threads; at least one. Blocked threads use no core, so
  ///     the limit does not depend on the number of cores. Four threads cost very little, and allow
  ///     the typical blocking work of a boot to overlap: file access, name lookups, synchronous
  ///     drivers. A program that needs more threads must use its own executor.
  ///   - most: The absolute maximum number of threads. A thread beyond `limit` serves a run that
  ///     would otherwise have none, or replaces the thread of an abandoned body.
  ///   - idleTime: The time after which a thread without work ends. Work comes in bursts during a
  ///     boot, and keeping a thread costs less than creating a new one for each burst.
  ///   - launch: A function that starts a thread; replaced in tests.
  init(
    limit: Int = 4, most: Int = 64, idleTime: Duration = .seconds(5),
    launch: @escaping Launch = { SystemThread.start(named: "pebble-blocking", $0) }
  ) {
    self.limit = max(limit, 1)
    admission = Mutex(BlockingThreadAdmission(limit: max(limit, 1), most: most))
    self.idleTime = idleTime
    self.launch = launch
  }

  /// The number of threads, including those that are being created.
  var threadCount: Int { state.withLock { $0.threads } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let limit = max(limit, admission.withLock { $0.threadCount })
    let mustLaunch = state.withLock { content in
      switch content.jobEnqueued(job, limit: limit) {
      case .wakeThread:
        state.notifyOne()
        return false
      case .launchThread: return true
      case .leaveToBusyThread: return false
      }
    }
    if mustLaunch { launchThread() }
  }

  /// Changes the admission, and then delivers the resulting answers to the waiters.
  func changeAdmission(
    _ change: (inout BlockingThreadAdmission) -> [BlockingThreadAdmission.Reply]
  ) {
    for (waiter, answer) in withAdmission(change) { waiter.answer.fulfill(answer) }
  }

  /// Changes the admission without delivering answers to waiters. The caller must deliver the
  /// answers after releasing its own locks.
  func withAdmission<Result>(_ change: (inout BlockingThreadAdmission) -> Result) -> Result {
    LockOrder.keeping(LockPlace.blockingThreads) { admission.withLock { change(&$0) } }
  }

  /// The number of bodies that wait for a thread.
  var waitingCount: Int { admission.withLock { $0.waitingCount } }

  private func launchThread() {
    if launch({ self.work() }) { return }
    // A job that blocks the pool is better than a lost job.
    for job in state.withLock({ $0.launchFailed() }) { globalConcurrentExecutor.enqueue(job) }
  }

  /// Runs jobs until no job has arrived for `idleTime`. This is the main function of a thread.
  private func work() {
    while let job = state.wait(
      atMost: idleTime, until: { $0.takeJob() }, timeUp: { $0.threads -= 1 })
    {
      run(job)
      state.withLock { $0.busyThreads -= 1 }
    }
  }

  private func run(_ job: UnownedJob) {
    #if canImport(ObjectiveC)
    // On a thread that Dispatch did not make, autoreleased objects would otherwise be released only
    // when the thread ends.
    autoreleasepool { job.runSynchronously(on: asUnownedTaskExecutor()) }
    #else
    job.runSynchronously(on: asUnownedTaskExecutor())
    #endif
  }
}

/// The jobs and threads of the executor.
///
/// Every job is eventually run. Each new job wakes a free thread, causes a thread to be created, or
/// finds all threads busy. A thread checks for waiting jobs whenever it has finished a job, and
/// again before it ends.
private struct State: Sendable {
  enum Action {
    case wakeThread
    case launchThread
    case leaveToBusyThread
  }

  /// The number of threads, including those that are being created.
  var threads = 0

  /// The number of threads that are running a job. All other threads are waiting for a job, or are
  /// about to check for one.
  var busyThreads = 0

  private var jobs = Ring<UnownedJob>()

  mutating func jobEnqueued(_ job: UnownedJob, limit: Int) -> Action {
    jobs.append(job)
    // Each waiting job has woken one free thread, so this job needs another free thread.
    if jobs.count <= threads - busyThreads { return .wakeThread }
    guard threads < limit else { return .leaveToBusyThread }
    threads += 1
    return .launchThread
  }

  /// Records that a thread could not be created.
  ///
  /// - Returns: The waiting jobs if no thread is left to take them; otherwise an empty array.
  mutating func launchFailed() -> [UnownedJob] {
    threads -= 1
    guard threads == 0 else { return [] }
    defer { jobs = Ring() }
    return (0..<jobs.count).map { jobs[$0] }
  }

  /// Removes the first waiting job, and marks the thread that takes it as busy.
  ///
  /// - Returns: The job; `nil` if no job is waiting. In that case, the thread stays free.
  /// - Complexity: O(1), amortized.
  mutating func takeJob() -> UnownedJob? {
    guard let job = jobs.first else { return nil }
    jobs.removeFirst()
    busyThreads += 1
    return job
  }
}
