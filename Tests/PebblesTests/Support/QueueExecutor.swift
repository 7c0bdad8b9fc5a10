import Dispatch

/// A task executor on a dispatch queue that knows whether one is on it.
final class QueueExecutor: TaskExecutor {
  private let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "executor of a test")

  init() {
    queue.setSpecific(key: key, value: true)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  /// Lets what is enqueued wait until `resume()` is called.
  func suspend() { queue.suspend() }

  func resume() { queue.resume() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
