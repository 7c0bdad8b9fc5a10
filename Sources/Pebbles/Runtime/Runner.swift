/// A worker that awaits bodies inline, one after another, until it finds no pebble to take.
///
/// Runners share the core, and processors that update an object's reference count at the same time
/// slow each other down. Therefore, a runner keeps everything that it needs for every pebble in its
/// own fields, which are retained only once.
struct Runner: ~Copyable {
  let core: RunCore
  let storage: RunStorage
  let values: RunValues
  let state: ReadinessState
  let queue: ReadyQueue
  let crew: RunnerCrew
  let life: RunLifeLock
  let program: Program
  let clock: RunClock
  let fitness: RunnerFitness
  var slot: BoundSlot

  /// Whether the runner binds the slot in `ownSlot` for each body, instead of using a slot that is
  /// bound for the whole task.
  let bindsEachBody: Bool
  let ownSlot: ContextSlot?

  /// Whether the pebble that has just settled keeps its resources. It keeps them while its body is
  /// still running or its inner runs are being shut down.
  var keepsUses = false
  let isOrdered: Bool

  /// Whether some bodies are called through `PebbleAttempts` instead of being awaited inline.
  let someNeedAttempts: Bool
  let watchesFailures: Bool

  /// Whether some pebbles have cases.
  let asksCases: Bool

  /// The cases of the pebble whose body has just ended; `nil` if they have not been determined.
  var knownCases: CaseSet?
  let events: EventHub
  let deadline: UInt64
  var decisions = Decisions()

  /// Creates a runner. The slot must be bound to the runner's task. If the slot is `nil`, the
  /// runner creates a slot and binds it again for each body.
  init(_ core: RunCore, _ fitness: RunnerFitness, _ slot: BoundSlot?) {
    self.core = core
    storage = core.storage
    values = core.storage.values
    state = core.storage.state
    queue = core.queue
    crew = core.crew
    life = core.life
    program = core.program
    clock = core.clock
    self.fitness = fitness
    if let slot {
      self.slot = slot
      ownSlot = nil
    } else {
      let made = ContextSlot(core)
      self.slot = BoundSlot(made)
      ownSlot = made
    }
    bindsEachBody = slot == nil
    isOrdered = queue.isOrdered
    // This does not read `self.program`. If it did so on the right side of `||`, Swift 6.3.1 would
    // assume that `self` is complete, and release the garbage in fields that have not been set.
    someNeedAttempts =
      core.allNeedAttempts || !core.program.options.isEmpty || core.resumption != nil
    watchesFailures = core.failures.isActive
    asksCases = !core.program.questions.isEmpty
    events = core.events
    deadline = core.options.purpose.isTeardown ? .max : core.options.deadline ?? .max
  }

  /// Begins the run and acts as its first runner.
  consuming func begin() async {
    decisions.listsSkipped = core.isObserved
    let known = known
    await core.recording?.journal.runBegan(core.beginning(knowing: known))
    state.begin(knowing: known, listsInitial: queue.needsInitial, into: &decisions)
    RunObservation(core).noteBeginning(&decisions, knowing: known)
    if let progress = core.recording?.progress { await goOn(from: progress) }
    share(decisions.ready[...])
    decisions.ready.removeAll(keepingCapacity: true)
    await work()
  }

  private var known: KnownOutcomes {
    if let known = core.resumption?.known { return known }
    if let progress = core.recording?.progress { return core.knownOutcomes(of: progress) }
    return program.knownOutcomes(of: core.options.subset, given: core.options.given)
  }

  /// Settles a pebble whose body was abandoned, and replaces the runner that waits for the body.
  consuming func takeOver(_ pebble: Int, _ timeout: PebbleTimeout) async {
    values.setPayload(ErrorBox(timeout), at: pebble)
    core.settleGivenUp(pebble, &decisions)
    shareAll(after: pebble)
    await work()
  }

  /// Stands by as a spare, and works if needed.
  consuming func arrive() async {
    guard await standBy() else { return }
    // Summons another spare besides the one summoned before the first pebble, so that the crew
    // doubles.
    if !queue.isEmpty { core.summonSpare(isUrgent: false) }
    await work()
  }

  /// Runs pebbles until the runner is no longer needed. The crew must already count the runner as
  /// being at work.
  consuming func work() async {
    var isAtWork = true
    while isAtWork {
      let end = await runPebbles()
      core.noteSettled(decisions.settledCount)
      decisions.settledCount = 0
      switch end {
      case .isGivenUp: return
      case .isUnfit: return core.replaceRunner()
      case .findsNothing:
        if crew.leave() {
          isAtWork = await cameToRest()
        } else {
          isAtWork = crew.reserveSpare(isUrgent: true)
          if isAtWork { isAtWork = await standBy() }
        }
      }
    }
  }

  /// The reason why a runner stops running pebbles.
  enum End {
    /// The runner found no pebble to take, or found one that must not start because the run was
    /// cancelled.
    case findsNothing
    /// The runner's task has become unfit for further bodies. Another runner replaces this one.
    case isUnfit
    /// The body that the runner awaited was abandoned. Another runner has replaced this one.
    case isGivenUp
  }
}
