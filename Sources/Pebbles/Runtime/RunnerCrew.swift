import Synchronization

/// Keeps count of the runners of one run, and their tasks for cancellation.
///
/// `count` proves rest: a runner is counted before its task exists and until it has nothing more to
/// do, and only runners enlist runners. Whoever takes it to zero is alone.
final class RunnerCrew: Sendable {
  private let count = Atomic(0)

  /// Whether a runner is on its way that has not yet looked into the queue.
  ///
  /// Whoever fills the queue sets this *after* it; the spare clears it *before* it looks. Both are
  /// exchanges, so they are ordered: either the spare sees what was added, or its clearing came
  /// first and the one who added finds no spare and enlists a new one.
  private let hasSpare = Atomic(false)

  private let tasks = Mutex(Tasks())

  private struct Tasks {
    var bySlot: [Task<Void, Never>?] = []
    var freeSlots: [Int] = []
    var isCancelled = false
  }

  /// Claims the right to enlist the spare.
  func reserveSpare(isUrgent: Bool) -> Bool {
    if !isUrgent, hasSpare.load(ordering: .relaxed) { return false }
    return !hasSpare.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// The spare has arrived and is about to look into the queue.
  func spareArrived() {
    _ = hasSpare.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Adds a runner. `work` must call `leave()` before it returns.
  func enlist(_ work: @escaping @Sendable () async -> Void) {
    count.add(1, ordering: .relaxed)
    // The task is made under the lock, so that `cancel()` meets it however early it starts.
    tasks.withLock { tasks in
      let slot = tasks.freeSlots.popLast() ?? tasks.bySlot.count
      if slot == tasks.bySlot.count { tasks.bySlot.append(nil) }
      let task = Task {
        await work()
        self.free(slot)
      }
      tasks.bySlot[slot] = task
      if tasks.isCancelled { task.cancel() }
    }
  }

  /// A runner has nothing more to do.
  ///
  /// - Returns: Whether it was the last, so that the run is at rest.
  func leave() -> Bool {
    count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// The last runner goes on after all.
  func rejoin() {
    count.add(1, ordering: .relaxed)
  }

  func cancel() {
    let running = tasks.withLock { tasks in
      tasks.isCancelled = true
      return tasks.bySlot
    }
    // Out here, because cancelling calls the cancellation handlers of bodies.
    for task in running { task?.cancel() }
  }

  private func free(_ slot: Int) {
    tasks.withLock { tasks in
      tasks.bySlot[slot] = nil
      tasks.freeSlots.append(slot)
    }
  }
}
