import Dispatch

@testable import Pebbles

/// A task executor that runs what is enqueued at once, until it suspends: the one who wakes
/// somebody goes on only after that.
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
