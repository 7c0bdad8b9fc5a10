import Synchronization

/// The lifecycle of a run behind a lock, with what runners ask of it for every pebble as plain
/// atomics, and those who wait for the end and for the teardown.
final class RunLifecycleLock: Sendable {
  private let lifecycle: Mutex<RunLifecycle>

  // Copies, written under the lock: runners look at them for every pebble.
  //
  // When the run was cancelled, in nanoseconds plus one; 0 if it was not.
  private let cancellation = Atomic<UInt64>(0)
  private let isRunOver = Atomic(false)

  /// The end, for those who wait for the report.
  let end = Promise<RunEnd>()

  /// Given once the run has been torn down.
  let shutdown = Promise<Void>()

  init(_ lifecycle: RunLifecycle) {
    self.lifecycle = Mutex(lifecycle)
  }

  /// Something has happened.
  ///
  /// - Returns: What the lifecycle makes of it, to be done by the caller.
  func take<Result>(_ happening: (inout RunLifecycle) -> Result) -> Result {
    lifecycle.withLock { lifecycle in
      defer { copy(lifecycle) }
      return happening(&lifecycle)
    }
  }

  private func copy(_ lifecycle: RunLifecycle) {
    if let time = lifecycle.cancellation?.time {
      cancellation.store(time == .max ? time : time + 1, ordering: .releasing)
    }
    if lifecycle.isOver { isRunOver.store(true, ordering: .releasing) }
  }

  var phase: RunLifecycle.Phase { lifecycle.withLock(\.phase) }

  var isCancelled: Bool { cancellation.load(ordering: .relaxed) != 0 }

  /// When the run was cancelled, in nanoseconds; only of one that was.
  var cancellationTime: UInt64 { cancellation.load(ordering: .relaxed) - 1 }

  /// Whether every pebble has settled. Who sees this sees the outcomes.
  var isOver: Bool { isRunOver.load(ordering: .acquiring) }
}
