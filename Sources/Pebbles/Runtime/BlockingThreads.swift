import Synchronization

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// A few threads for bodies that block, so that these never occupy Swift's concurrency pool.
///
/// The pool has a thread per core. Bodies that block as many hold up every task of the program,
/// also the one that would unblock them. Here they only hold up each other: what comes when all
/// threads are occupied waits for its turn, as `BlockingThreadAdmission` says. So blocking bodies
/// must not wait for one another.
///
/// A thread is made when there is work and none is free, and ends when it has had no work for a
/// while. A program that never blocks has none. The thread keeps its executor alive.
final class BlockingThreads: TaskExecutor {
  /// The threads of all ponds; others for the runs that are started in a task of a test.
  @TaskLocal static var shared = BlockingThreads()

  /// Starts a thread that calls the function it is given, and tells whether it could.
  typealias Launch = @Sendable (@escaping @Sendable () -> Void) -> Bool

  private let limit: Int
  private let idleTime: Duration
  private let launch: Launch
  private let state = Monitor(State())
  private let admission: Mutex<BlockingThreadAdmission>

  /// - Parameters:
  ///   - limit: How many threads there are at most; at least one. Blocked threads use no core, so
  ///     the number of cores says nothing. Four let what blocks during a boot overlap (a file, a
  ///     name looked up, a driver of old) and cost next to nothing. A program that needs many needs
  ///     an executor of its own.
  ///   - most: How many threads there may ever be, with those of runs that would have none and
  ///     those that take the place of threads whose bodies were given up.
  ///   - idleTime: How long a thread stays without work. A boot comes in waves, and what a thread
  ///     costs is small against making it again for each wave.
  ///   - launch: Starts a thread; replaced in tests.
  init(
    limit: Int = 4, most: Int = 64, idleTime: Duration = .seconds(5),
    launch: @escaping Launch = { SystemThread.start(named: "pebble-blocking", $0) }
  ) {
    self.limit = max(limit, 1)
    admission = Mutex(BlockingThreadAdmission(limit: max(limit, 1), most: most))
    self.idleTime = idleTime
    self.launch = launch
  }

  /// How many threads there are, those being made included.
  var threadCount: Int { state.withLock { $0.threads } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let limit = max(limit, admission.withLock { $0.threadCount })
    switch state.withLock({ $0.jobEnqueued(job, limit: limit) }) {
    case .wakeThread: state.notifyOne()
    case .launchThread: launchThread()
    case .leaveToBusyThread: break
    }
  }

  /// Who may block a thread changes; those that this is an answer to are told of it.
  func changeAdmission(
    _ change: (inout BlockingThreadAdmission) -> [BlockingThreadAdmission.Told]
  ) {
    for (waiter, answer) in withAdmission(change) { waiter.answer.fulfill(answer) }
  }

  /// The same, for callers that tell those themselves: outside of their own locks.
  func withAdmission<Result>(_ change: (inout BlockingThreadAdmission) -> Result) -> Result {
    LockOrder.keeping(LockPlace.blockingThreads) { admission.withLock { change(&$0) } }
  }

  /// How many bodies wait for a thread.
  var waitingCount: Int { admission.withLock { $0.waitingCount } }

  private func launchThread() {
    if launch({ self.work() }) { return }
    // The pool is the wrong place, but a job that blocks there is better than a job that is lost.
    for job in state.withLock({ $0.launchFailed() }) { globalConcurrentExecutor.enqueue(job) }
  }

  /// What a thread does, from its beginning to its end.
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
    // A thread that is not of Dispatch has no pool that would be drained before the thread ends.
    autoreleasepool { job.runSynchronously(on: asUnownedTaskExecutor()) }
    #else
    job.runSynchronously(on: asUnownedTaskExecutor())
    #endif
  }
}

/// The bookkeeping. No job is ever left behind: each either finds a free thread, which is woken,
/// or causes one to be made, or all threads there may be are busy; and a thread looks for jobs
/// whenever it has finished one, and once more when it is about to end.
private struct State: Sendable {
  enum Action {
    case wakeThread
    case launchThread
    case leaveToBusyThread
  }

  /// How many threads there are, those being made included.
  var threads = 0

  /// How many of them run a job. The others look for one, or are about to.
  var busyThreads = 0

  private var jobs = Ring<UnownedJob>()

  mutating func jobEnqueued(_ job: UnownedJob, limit: Int) -> Action {
    jobs.append(job)
    // Free threads have been woken for the jobs before this one, so there must be one more.
    if jobs.count <= threads - busyThreads { return .wakeThread }
    guard threads < limit else { return .leaveToBusyThread }
    threads += 1
    return .launchThread
  }

  /// - Returns: The jobs that no thread is left to take. With one there, they wait for it.
  mutating func launchFailed() -> [UnownedJob] {
    threads -= 1
    guard threads == 0 else { return [] }
    defer { jobs = Ring() }
    return (0..<jobs.count).map { jobs[$0] }
  }

  /// - Complexity: O(1), amortized.
  mutating func takeJob() -> UnownedJob? {
    guard let job = jobs.first else { return nil }
    jobs.removeFirst()
    busyThreads += 1
    return job
  }
}
