import Synchronization

/// Keeps count of the runners of one run that are at work, of the spares, and of all their tasks
/// for cancellation.
///
/// `working` proves rest: a runner counts from before it takes a pebble until it finds no more to
/// take, and only runners at work make pebbles ready. The one that takes it to zero is alone.
final class RunnerCrew: Sendable {
  private let working = Atomic(1)

  /// How many runners are standing by, or on their way to.
  ///
  /// A runner that fills the queue counts one up *after* it, or finds enough; a spare counts itself
  /// down *before* it looks for the last time. All of these are read-modify-writes, so they are
  /// ordered: either a spare sees what was added, or the last one had counted itself down before,
  /// and the one who added enlists a new one.
  private let spares = Atomic(0)

  /// How many runners can work at the same time.
  private let processorCount = ProcessorCount.online

  /// How many spares there may be for so many runners at work.
  ///
  /// One where one runner is at work. Where spares have gone to work, because bodies are worth
  /// sharing, as many again: so the crew doubles for as long as there is work for all, until every
  /// processor has a runner.
  private func mostSpares(beside working: Int) -> Int {
    max(1, min(working, processorCount - working))
  }

  private let tasks = Mutex(Tasks())

  private struct Tasks {
    enum Slot {
      /// Can transition to: `reserved` (a task is being made for it).
      case free

      /// Can transition to: `taken` (the task is there), `over` (it has ended even before that).
      case reserved

      /// Can transition to: `free` (the task has ended).
      case taken(Task<Void, Never>)

      /// Can transition to: `free` (the task is there, and has ended).
      case over
    }

    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var isCancelled = false

    mutating func reserve() -> Int {
      if let slot = freeSlots.popLast() {
        slots[slot] = .reserved
        return slot
      }
      slots.append(.reserved)
      return slots.count - 1
    }

    /// - Returns: Whether the task is to be cancelled.
    mutating func made(_ task: Task<Void, Never>, for slot: Int) -> Bool {
      switch slots[slot] {
      case .reserved: slots[slot] = .taken(task)
      case .over: free(slot)
      case .free, .taken: preconditionFailure("a slot was not reserved")
      }
      return isCancelled
    }

    mutating func ended(in slot: Int) {
      switch slots[slot] {
      case .reserved: slots[slot] = .over
      case .taken: free(slot)
      case .free, .over: preconditionFailure("the task of a slot ended twice")
      }
    }

    mutating func cancelled() -> [Task<Void, Never>] {
      isCancelled = true
      return slots.compactMap { if case .taken(let task) = $0 { task } else { nil } }
    }

    private mutating func free(_ slot: Int) {
      slots[slot] = .free
      freeSlots.append(slot)
    }
  }

  /// Claims the right to enlist a spare.
  func reserveSpare(isUrgent: Bool) -> Bool {
    var count = spares.load(ordering: .relaxed)
    let most =
      count == 0 ? 1 : mostSpares(beside: working.load(ordering: .relaxed))
    if !isUrgent, count >= most { return false }
    while true {
      // Written even if there are enough: see `spares`.
      let isOneMore = count < most
      let (isDone, current) = spares.weakCompareExchange(
        expected: count, desired: isOneMore ? count + 1 : count, ordering: .acquiringAndReleasing)
      if isDone { return isOneMore }
      count = current
    }
  }

  /// A spare stands by no longer. The caller must look into the queue once more.
  func releaseSpare() {
    spares.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// How many runners are at work.
  var workingCount: Int { working.load(ordering: .relaxed) }

  /// Makes a task for a runner, and hands the runner what belongs to the task.
  func enlist(
    _ core: RunCore, _ work: @escaping @Sendable (RunnerFitness, BoundSlot) async -> Void
  ) {
    let slot = tasks.withLock { $0.reserve() }
    // Not under the lock. What is done to a task waits while that task is being cancelled, and what
    // cancels the one that calls this may be waiting for the lock in turn.
    //
    // Bound out here, so that the task holds the only reference: see `BoundSlot`.
    let task = ContextSlot.$current.withValue(ContextSlot(core)) {
      Task(name: core.program.pond.graph.pondName, on: core.options.executor) {
        let fitness = RunnerFitness()
        await withTaskCancellationHandler {
          await work(fitness, BoundSlot.ofCurrentTask())
        } onCancel: {
          fitness.lose()
        }
        self.tasks.withLock { $0.ended(in: slot) }
      }
    }
    let isCancelled = tasks.withLock { $0.made(task, for: slot) }
    if isCancelled { task.cancel() }
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
    let running = tasks.withLock { $0.cancelled() }
    // Out here, because cancelling calls the cancellation handlers of bodies.
    for task in running { task.cancel() }
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
