import Foundation
import Pebbles
import Testing

extension Trait where Self == OwnThreads {
  /// A trait for tests that block their thread for a long time while they wait for another program.
  ///
  /// Such tests run on a few threads of their own. Otherwise, two of them would occupy the whole
  /// concurrency pool of a machine with two processors, and no other test could run meanwhile. A
  /// test must not wait for another task on these threads, because there may be only one.
  package static var ownThreads: OwnThreads { OwnThreads() }
}

/// A trait that runs tests outside of the concurrency pool.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  private static let threads = FewThreads()

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await function() }
  }
}

/// Threads that run jobs in the order in which they arrive: one for each processor, at most three,
/// because the programs that the tests wait for need the processors.
private final class FewThreads: TaskExecutor {
  private let jobs = Monitor([UnownedJob]())

  init() {
    for _ in 0..<min(ProcessInfo.processInfo.activeProcessorCount, 3) {
      Thread.detachNewThread { [self] in work() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { waiting in
      waiting.append(job)
      jobs.notifyOne()
    }
  }

  private func work() {
    while let job = jobs.wait(until: { $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
