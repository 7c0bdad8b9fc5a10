import Dispatch

@testable import Pebbles

/// A task executor that runs each enqueued job immediately, on another thread, and blocks until the
/// job has suspended. So code that resumes a task continues only after that task has run.
final class HastyExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasSuspended = DispatchSemaphore(value: 0)
    let isThere = SystemThread.start(named: "hasty") {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      hasSuspended.signal()
    }
    precondition(isThere, "the system is out of threads")
    hasSuspended.wait()
  }
}
