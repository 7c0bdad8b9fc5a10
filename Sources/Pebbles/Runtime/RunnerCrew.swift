import Synchronization

/// The runners of one run. The crew counts the runners at work and the spares, and keeps the tasks
/// of all runners so that they can be cancelled.
///
/// The run is at rest when the count `working` is zero. A runner is added to the count before it
/// takes its first pebble, and is removed when it finds no more pebbles to take. Only runners at
/// work make pebbles ready, so no pebble can become ready after a runner has decremented the count
/// to zero.
final class RunnerCrew: Sendable {
  private let working = Atomic(1)

  /// The number of runners that stand by, or are about to stand by.
  ///
  /// A runner increments the count *after* adding pebbles to the queue, unless there are enough
  /// spares. A spare decrements the count *before* it checks the queue for the last time. These
  /// operations have a total order, because all of them are read-modify-writes. Therefore, either a
  /// spare sees the added pebbles, or the last spare has already decremented the count. In the
  /// second case, the runner that added the pebbles enlists a new spare.
  private let spares = Atomic(0)

  /// The number of runners that can work at the same time.
  private let processorCount = ProcessorCount.online

  /// Returns the maximum number of spares for a number of runners at work.
  ///
  /// A single runner at work has one spare. If there is enough work to share, spares go to work,
  /// and there may then be as many spares as runners at work. Thus, while there is enough work, the
  /// crew doubles until every processor has a runner.
  private func mostSpares(beside working: Int) -> Int {
    max(1, min(working, processorCount - working))
  }

  private let tasks = Mutex(Tasks())

  private struct Tasks {
    enum Slot {
      /// A slot without a task.
      /// Can transition to: `reserved` (a task is being created for the slot).
      case free

      /// A slot whose task is being created.
      /// Can transition to: `starting` (the task has begun on the thread of its creator), `taken`
      /// (the creator has received the task), `over` (the task ended before the creator received
      /// it).
      case reserved

      /// A slot whose task has begun on the thread of its creator.
      /// Can transition to: `taken` (the creator has received the task), `over` (the task ended
      /// before the creator received it).
      case starting(StartingTask)

      /// A slot with a task.
      /// Can transition to: `free` (the task has ended).
      case taken(Task<Void, Never>)

      /// A slot whose task ended before the creator of the task received it.
      /// Can transition to: `free` (the creator has received the task).
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

    /// Records that a task began before its creator received it.
    ///
    /// - Returns: Whether to cancel the task.
    mutating func starts(_ task: StartingTask, in slot: Int) -> Bool {
      guard case .reserved = slots[slot] else { preconditionFailure("a slot was not reserved") }
      slots[slot] = .starting(task)
      return isCancelled
    }

    /// Records that a task has been created.
    ///
    /// - Returns: Whether to cancel the task.
    mutating func made(_ task: Task<Void, Never>, for slot: Int) -> Bool {
      switch slots[slot] {
      case .reserved, .starting: slots[slot] = .taken(task)
      case .over: free(slot)
      case .free, .taken: preconditionFailure("a slot was not reserved")
      }
      return isCancelled
    }

    mutating func ended(in slot: Int) {
      switch slots[slot] {
      case .reserved, .starting: slots[slot] = .over
      case .taken: free(slot)
      case .free, .over: preconditionFailure("the task of a slot ended twice")
      }
    }

    /// Records that all tasks must be cancelled, including those that are created later.
    ///
    /// - Returns: The functions that cancel the tasks.
    mutating func cancelled() -> [() -> Void] {
      isCancelled = true
      return slots.compactMap { slot in
        switch slot {
        case .taken(let task): task.cancel
        case .starting(let task): task.cancel
        case .free, .reserved, .over: nil
        }
      }
    }

    private mutating func free(_ slot: Int) {
      slots[slot] = .free
      freeSlots.append(slot)
    }
  }

  /// Reserves the right to enlist a spare.
  ///
  /// - Parameter isUrgent: Whether the caller has just added pebbles to the queue.
  /// - Returns: Whether the caller must enlist a spare; `false` if there are enough spares.
  func reserveSpare(isUrgent: Bool) -> Bool {
    var count = spares.load(ordering: .relaxed)
    let most =
      count == 0 ? 1 : mostSpares(beside: working.load(ordering: .relaxed))
    if !isUrgent, count >= most { return false }
    while true {
      // Written even if there are enough; see `spares`.
      let isOneMore = count < most
      let (isDone, current) = spares.weakCompareExchange(
        expected: count, desired: isOneMore ? count + 1 : count, ordering: .acquiringAndReleasing)
      if isDone { return isOneMore }
      count = current
    }
  }

  /// Removes a spare that no longer stands by. The caller must examine the queue again.
  func releaseSpare() {
    let count = spares.subtract(1, ordering: .acquiringAndReleasing).newValue
    assert(count >= 0, "more spares have left than had come")
  }

  /// The number of runners at work.
  var workingCount: Int { working.load(ordering: .relaxed) }

  /// Creates a task for a runner, or for other work that is cancelled with the run, with a context
  /// slot bound to the task.
  func enlist(_ core: RunCore, _ work: @escaping RunnerWork) {
    makeTask { place in
      // Bound outside of the task, so that the task holds the only reference; see `BoundSlot`.
      ContextSlot.$current.withValue(ContextSlot(core)) {
        Task(name: core.program.pond.graph.pondName, on: core.options.executor) {
          await self.call(work, BoundSlot.ofCurrentTask(), in: place)
        }
      }
    }
  }

  /// Creates a task for a runner. The task begins immediately on the thread of the caller, and
  /// continues elsewhere after its first suspension.
  ///
  /// A slot bound outside of such a task would also be held by the calling task while the new task
  /// begins. Therefore, the runner binds a slot for each body instead.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func enlistImmediately(_ core: RunCore, _ work: @escaping RunnerWork) {
    makeTask { place in
      Task.immediate(name: core.program.pond.graph.pondName) {
        self.taskStarts(in: place)
        await self.call(work, nil, in: place)
      }
    }
  }

  private func makeTask(_ make: (_ place: Int) -> Task<Void, Never>) {
    let place = tasks.withLock { $0.reserve() }
    // The task is not made under the lock. Operations on a task wait while the task is being
    // cancelled, and the thread that cancels the calling task may be waiting for the lock.
    let task = make(place)
    let isCancelled = tasks.withLock { $0.made(task, for: place) }
    if isCancelled { task.cancel() }
  }

  private func call(_ work: RunnerWork, _ slot: BoundSlot?, in place: Int) async {
    let fitness = RunnerFitness()
    await withTaskCancellationHandler {
      await work(fitness, slot)
    } onCancel: {
      fitness.lose()
    }
    tasks.withLock { $0.ended(in: place) }
  }

  /// Registers a task that began before its creator received it, so that even a body that does not
  /// suspend can be cancelled.
  private func taskStarts(in place: Int) {
    withUnsafeCurrentTask { task in
      guard let task = task.map(StartingTask.init) else { return }
      if tasks.withLock({ $0.starts(task, in: place) }) { task.cancel() }
    }
  }

  /// Adds a spare to the runners at work.
  ///
  /// - Returns: Whether the spare is now at work; `false` if the run is at rest.
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

  /// Records that a runner has found no pebble to take and is no longer at work.
  ///
  /// - Returns: Whether the runner was the last one at work. If so, the run is now at rest.
  func leave() -> Bool {
    working.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Resumes work in a run at rest. The caller is now the only runner at work.
  func resume() {
    working.store(1, ordering: .releasing)
  }

  func cancel() {
    let cancellations = tasks.withLock { $0.cancelled() }
    // Outside of the lock, because cancelling calls the cancellation handlers of bodies.
    for cancel in cancellations { cancel() }
  }
}

/// A function that performs the work of a runner in its task.
typealias RunnerWork = @Sendable (RunnerFitness, BoundSlot?) async -> Void

/// A task that began before its creator received it.
///
/// An `UnsafeCurrentTask` keeps its task alive. The operations that it shares with `Task`, such as
/// `cancel()`, may be called from any task or thread.
private struct StartingTask: @unchecked Sendable {
  private let task: UnsafeCurrentTask

  init(_ task: UnsafeCurrentTask) {
    self.task = task
  }

  func cancel() {
    task.cancel()
  }
}

/// A flag that shows whether a runner's task is still fit for calling bodies. A cancelled task is
/// unfit, because everything that it calls would behave as if the run had been cancelled.
///
/// Reading the flag is faster than asking the task itself, because the task would be retained and
/// released each time.
final class RunnerFitness: Sendable {
  private let isLost = Atomic(false)

  var isUnfit: Bool { isLost.load(ordering: .relaxed) }

  func lose() {
    isLost.store(true, ordering: .relaxed)
  }
}
