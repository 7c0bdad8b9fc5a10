/// Awaits bodies inline, one after another, for as long as there is something to take.
///
/// Runners share the core, and two cores that count references on one object slow each other
/// down. So a runner keeps what it needs for every pebble in fields of its own, retained once.
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

  /// Whether that has yet to be bound for each body, and is kept here.
  let bindsEachBody: Bool
  let ownSlot: ContextSlot?

  /// Whether the pebble that has just settled keeps what it uses, because its body goes on or what
  /// it has left is being shut down.
  var keepsUses = false
  let isOrdered: Bool

  /// Whether some bodies are called with more than an `await`.
  let someNeedAttempts: Bool
  let watchesFailures: Bool

  /// Whether some pebbles have cases.
  let asksCases: Bool

  /// The cases that have been asked already of the pebble whose body has just ended.
  var knownCases: CaseSet?
  let events: EventHub
  let deadline: UInt64
  var decisions = Decisions()

  /// With a slot that is bound to the task; without one, that is done for each body.
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
    // Not `program.options`: Swift 6.3.1 then takes `self`, for the right side of `||`, as
    // complete, and releases what happens to be in the place of a field that has not been set.
    someNeedAttempts =
      core.allNeedAttempts || !core.program.options.isEmpty || core.resumption != nil
    watchesFailures = core.failures.isActive
    asksCases = !core.program.questions.isEmpty
    events = core.events
    deadline = core.options.purpose.isTeardown ? .max : core.options.deadline ?? .max
  }

  /// The first runner of a run.
  consuming func begin() async {
    decisions.listsSkipped = core.isObserved
    let known = known
    await core.recording?.journal.runBegan(core.beginning(knowing: known))
    state.begin(knowing: known, listsInitial: queue.needsInitial, into: &decisions)
    RunObservation(core).noteBeginning(&decisions)
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

  /// A runner in the place of one whose body has been given up.
  consuming func takeOver(_ pebble: Int, _ timeout: PebbleTimeout) async {
    values.setPayload(ErrorBox(timeout), at: pebble)
    core.settleGivenUp(pebble, &decisions)
    shareAll(after: pebble)
    await work()
  }

  /// A runner summoned as a spare.
  consuming func arrive() async {
    guard await standBy() else { return }
    // Beside the one that it summons before its first pebble, so that the crew doubles.
    if !queue.isEmpty { core.summonSpare(isUrgent: false) }
    await work()
  }

  /// A runner that counts as at work.
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

  /// Why a runner runs no more pebbles.
  enum End {
    /// There is none to take.
    case findsNothing
    /// Its task has become unfit for bodies, and another one is to take its place.
    case isUnfit
    /// Its body was given up, and another one has taken its place.
    case isGivenUp
  }
}
