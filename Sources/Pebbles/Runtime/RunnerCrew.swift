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

      /// Can transition to: `starting` (the task has begun on the thread of the one that makes it),
      /// `taken` (the task is there), `over` (it has ended even before that).
      case reserved

      /// Can transition to: `taken` (the task is there), `over` (it has ended even before that).
      case starting(StartingTask)

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

    /// The task has begun, and the one that makes it has no handle on it yet.
    ///
    /// - Returns: Whether the task is to be cancelled.
    mutating func starts(_ task: StartingTask, in slot: Int) -> Bool {
      guard case .reserved = slots[slot] else { preconditionFailure("a slot was not reserved") }
      slots[slot] = .starting(task)
      return isCancelled
    }

    /// - Returns: Whether the task is to be cancelled.
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

    /// - Returns: What cancels each of the tasks.
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
    let count = spares.subtract(1, ordering: .acquiringAndReleasing).newValue
    assert(count >= 0, "more spares have left than had come")
  }

  /// How many runners are at work.
  var workingCount: Int { working.load(ordering: .relaxed) }

  /// Makes a task for a runner, and hands the runner what belongs to the task.
  func enlist(_ core: RunCore, _ work: @escaping RunnerWork) {
    makeTask { place in
      // Bound out here, so that the task holds the only reference: see `BoundSlot`.
      ContextSlot.$current.withValue(ContextSlot(core)) {
        Task(name: core.program.pond.graph.pondName, on: core.options.executor) {
          await self.call(work, BoundSlot.ofCurrentTask(), in: place)
        }
      }
    }
  }

  /// Makes a task for a runner that begins here and now, on the thread of the caller, and goes on
  /// elsewhere when it first suspends.
  ///
  /// What would be bound to such a task from out here, its maker would hold for as long as it
  /// begins. So each body is bound by itself.
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
    // Not under the lock. What is done to a task waits while that task is being cancelled, and what
    // cancels the one that calls this may be waiting for the lock in turn.
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

  /// A body that does not suspend is to be cancelled as well, while its task is still being made.
  private func taskStarts(in place: Int) {
    withUnsafeCurrentTask { task in
      guard let task = task.map(StartingTask.init) else { return }
      if tasks.withLock({ $0.starts(task, in: place) }) { task.cancel() }
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
    let cancellations = tasks.withLock { $0.cancelled() }
    // Out here, because cancelling calls the cancellation handlers of bodies.
    for cancel in cancellations { cancel() }
  }
}

/// What a runner does in its task.
typealias RunnerWork = @Sendable (RunnerFitness, BoundSlot?) async -> Void

/// A task that has begun before its maker has a handle on it.
///
/// An `UnsafeCurrentTask` counts as a reference, and what `Task` can do as well, such as to cancel,
/// it may be asked for from anywhere.
private struct StartingTask: @unchecked Sendable {
  private let task: UnsafeCurrentTask

  init(_ task: UnsafeCurrentTask) {
    self.task = task
  }

  func cancel() {
    task.cancel()
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
