import Synchronization

/// Keeps count of the runners of one run that are at work, of the spare, and of all their tasks for
/// cancellation.
///
/// `working` proves rest: a runner counts from before it takes a pebble until it finds no more to
/// take, and only runners at work make pebbles ready. The one that takes it to zero is alone.
final class RunnerCrew: Sendable {
  private let working = Atomic(1)

  /// Whether a runner is standing by, or on its way to.
  ///
  /// A runner that fills the queue sets this *after* it; the spare clears it *before* it looks for
  /// the last time. Both are exchanges, so they are ordered: either the spare sees what was added,
  /// or its clearing came first and the one who added finds no spare and enlists a new one.
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

  /// The spare stands by no longer. The caller must look into the queue once more.
  func releaseSpare() {
    _ = hasSpare.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Makes a task for a runner, and hands the runner what belongs to the task.
  func enlist(
    _ core: RunCore,
    _ work: @escaping @Sendable (RunnerFitness, BoundSlot) async -> Void
  ) {
    // The task is made under the lock, so that `cancel()` meets it however early it starts.
    tasks.withLock { tasks in
      let slot = tasks.freeSlots.popLast() ?? tasks.bySlot.count
      if slot == tasks.bySlot.count { tasks.bySlot.append(nil) }
      // Bound out here, so that the task holds the only reference: see `BoundSlot`.
      let task = ContextSlot.$current.withValue(ContextSlot(core)) {
        Task(name: core.program.pond.graph.pondName, on: core.options.executor) {
          let fitness = RunnerFitness()
          await withTaskCancellationHandler {
            await work(fitness, BoundSlot.ofCurrentTask())
          } onCancel: {
            fitness.lose()
          }
          self.free(slot)
        }
      }
      tasks.bySlot[slot] = task
      if tasks.isCancelled { task.cancel() }
    }
  }

  /// The spare goes to work, unless the run is at rest.
  func join() -> Bool {
    var count = working.load(ordering: .relaxed)
    while count > 0 {
      let (isIn, current) = working.weakCompareExchange(
        expected: count, desired: count + 1, ordering: .acquiringAndReleasing)
      if isIn { return true }
      count = current
    }
    return false
  }

  /// A runner has found nothing to take.
  ///
  /// - Returns: Whether it was the last at work, so that the run is at rest.
  func leave() -> Bool {
    working.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// The run goes on after a rest, with the caller at work.
  func resume() {
    working.store(1, ordering: .releasing)
  }

  func cancel() {
    let running = tasks.withLock { tasks in
      tasks.isCancelled = true
      return tasks.bySlot.compactMap(\.self)
    }
    // Out here, because cancelling calls the cancellation handlers of bodies.
    for task in running { task.cancel() }
  }

  private func free(_ slot: Int) {
    tasks.withLock { tasks in
      tasks.bySlot[slot] = nil
      tasks.freeSlots.append(slot)
    }
  }
}

/// Whether the task of a runner is fit for bodies: not once it is cancelled, because then all that
/// it calls would believe the run to be.
///
/// A flag of its own, because to ask the task itself counts a reference every time.
final class RunnerFitness: Sendable {
  private let isLost = Atomic(false)

  var isUnfit: Bool { isLost.load(ordering: .relaxed) }

  func lose() {
    isLost.store(true, ordering: .relaxed)
  }
}
