/// A few threads of their own for bodies that block, so that these never hold one of the few
/// threads of Swift's concurrency pool, which everything else shares.
///
/// Threads are made when there is work and none is free, up to a limit, and end when they have had
/// nothing to do for a while: a program that blocks nowhere has none. Jobs start in the order they
/// came, whatever their priority, and none is ever lost.
///
/// If the system refuses a thread, the jobs wait for one there is. If there is none, a task of the
/// concurrency pool stands in for it until nothing waits any longer: that may delay others, but
/// nobody is left waiting. The next job tries to make a thread again.
///
/// A thread holds on to this object for as long as it lives.
final class BlockingThreads: TaskExecutor {
  /// The threads of the process.
  ///
  /// Four, because blocked threads wait rather than compute, so that more than the cores are of
  /// use, and what blocks at a boot (a lock file, a driver without async calls) comes in ones and
  /// twos. The same number everywhere, so that bodies that wait for each other in a circle of five
  /// do so at a desk already, and not only on a smaller machine.
  static let shared = BlockingThreads()

  private let limit: Int
  private let idleTime: Duration
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let monitor = Monitor(Roster())

  /// - Parameters:
  ///   - limit: How many threads there may be at a time; less than one counts as one.
  ///   - idleTime: How long a thread waits for more work before it ends.
  ///   - startThread: Starts a thread with a body, or returns `false`.
  init(
    limit: Int = 4, idleTime: Duration = .seconds(5),
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = SystemThread.start
  ) {
    self.limit = max(limit, 1)
    self.idleTime = idleTime
    self.startThread = startThread
  }

  /// How many threads there are, a task that stands in for one included.
  var threadCount: Int { monitor.withLock(\.threadCount) }

  /// Calls a body on these threads; the caller goes on where it was.
  ///
  /// `@concurrent`, because a closure in a function that keeps its caller's executor keeps it too,
  /// whatever the preference: called in place, the body would block the pool after all.
  @concurrent func run<Output: Sendable>(
    _ body: nonisolated(nonsending) @Sendable () async throws -> Output
  ) async throws -> Output {
    try await withTaskExecutorPreference(self) { try await body() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = monitor.withLock { $0.jobArrived(job, limit: limit) }
    if needsThread {
      addThread()
    } else {
      monitor.wakeOne()
    }
  }

  private func addThread() {
    if startThread({ self.work(idleTime: self.idleTime) }) { return }
    let isAlone = monitor.withLock { $0.threadRefused() }
    // Detached: the one that enqueues may be a task with a preference for these very threads.
    if isAlone { Task.detached { self.work(idleTime: .zero) } }
  }

  /// What a thread does in its life.
  private func work(idleTime: Duration) {
    while let job = monitor.value(
      within: idleTime, { $0.takeJob() }, otherwise: { $0.threadLeft() })
    {
      job.runSynchronously(on: asUnownedTaskExecutor())
      monitor.withLock { $0.jobEnded() }
    }
  }
}

/// The jobs that wait, and how many threads there are for them.
///
/// A thread counts from the decision to make it until it finds nothing to do for too long; it is
/// busy from when it takes a job until that has ended.
private struct Roster {
  private(set) var threadCount = 0
  private var busyCount = 0

  /// Those from `head` on wait. The others have been taken, and go in bulk, so that taking a job
  /// costs O(1) on average.
  private var jobs: [UnownedJob] = []
  private var head = 0

  private var waitingCount: Int { jobs.count - head }

  /// - Returns: Whether a thread must be made. If not, one that is free, or all that there may be,
  ///   will see to the job.
  mutating func jobArrived(_ job: UnownedJob, limit: Int) -> Bool {
    jobs.append(job)
    guard waitingCount > threadCount - busyCount, threadCount < limit else { return false }
    threadCount += 1
    return true
  }

  mutating func takeJob() -> UnownedJob? {
    guard head < jobs.count else { return nil }
    let job = jobs[head]
    head += 1
    if head * 2 >= jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    busyCount += 1
    assertInvariants()
    return job
  }

  mutating func jobEnded() {
    busyCount -= 1
    assertInvariants()
  }

  /// A thread has found nothing to do for too long.
  mutating func threadLeft() {
    threadCount -= 1
    assertInvariants()
  }

  /// The system has refused a thread.
  ///
  /// - Returns: Whether there is no other. Something must then work in its place, and counts for
  ///   it.
  mutating func threadRefused() -> Bool {
    if threadCount == 1 { return true }
    threadCount -= 1
    assertInvariants()
    return false
  }

  private func assertInvariants() {
    assert((0...threadCount).contains(busyCount) && (0...jobs.count).contains(head))
    assert(threadCount > 0 || waitingCount == 0, "jobs wait, and no thread is there for them")
  }
}
