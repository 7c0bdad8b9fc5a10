import Dispatch

/// A task executor that runs jobs on a dispatch queue, and detects whether code runs on that queue.
final class QueueExecutor: TaskExecutor {
  private let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "executor of a test")

  init() {
    queue.setSpecific(key: key, value: true)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  /// Holds all enqueued jobs back until `resume()` is called.
  func suspend() { queue.suspend() }

  func resume() { queue.resume() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
