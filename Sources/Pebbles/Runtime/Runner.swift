/// Awaits bodies inline, one after another, for as long as there is something to take.
///
/// Runners share the core, and two cores that count references on one object slow each other
/// down. So a runner keeps what it needs for every pebble in fields of its own, retained once.
struct Runner: ~Copyable {
  let core: RunCore
  let storage: RunStorage
  private let values: RunValues
  let state: ReadinessState
  let queue: ReadyQueue
  let crew: RunnerCrew
  let life: RunLifeLock
  private let program: Program
  let clock: RunClock
  private let fitness: RunnerFitness
  private var slot: BoundSlot

  /// Whether that has yet to be bound for each body, and is kept here.
  private let bindsEachBody: Bool
  private let ownSlot: ContextSlot?

  /// Whether the pebble that has just settled keeps what it uses, because its body goes on or what
  /// it has left is being shut down.
  private var keepsUses = false
  private let isOrdered: Bool

  /// Whether some bodies are called with more than an `await`.
  private let someNeedAttempts: Bool
  private let watchesFailures: Bool

  /// Whether some pebbles have cases.
  private let asksCases: Bool
  let events: EventHub
  private let deadline: UInt64
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
    someNeedAttempts = core.allNeedAttempts || !core.program.options.isEmpty
    watchesFailures = core.failures.isActive
    asksCases = !core.program.questions.isEmpty
    events = core.events
    deadline = core.options.purpose.isTeardown ? .max : core.options.deadline ?? .max
  }

  /// The first runner of a run.
  consuming func begin() async {
    decisions.listsSkipped = core.isObserved
    state.begin(
      disabling: program.disabledPebbles(), listsInitial: queue.needsInitial, into: &decisions)
    RunObservation(core).noteBeginning(&decisions)
    share(decisions.ready[...])
    decisions.ready.removeAll(keepingCapacity: true)
    await work()
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
  private enum End {
    /// There is none to take.
    case findsNothing
    /// Its task has become unfit for bodies, and another one is to take its place.
    case isUnfit
    /// Its body was given up, and another one has taken its place.
    case isGivenUp
  }

  /// Runs pebbles until there is none to take.
  nonisolated(nonsending) private mutating func runPebbles() async -> End {
    guard var pebble = queue.take() else { return .findsNothing }
    var time = clock.now()
    defer { decisions.keepsNextApart = false }
    while true {
      if !queue.isEmpty { core.summonSpare(isUrgent: false) }

      let needsAttempts = someNeedAttempts && core.needsAttempts(pebble)
      time = max(time, state.enabledTime(of: pebble))
      // Here too, for those who were made to wait, as by a grant or a spare's stand-by.
      cancelIfDeadlinePassed(at: time)
      state.pebbleStarted(pebble, at: time)
      // Only now: who gives up the bodies of a cancelled run finds all that is running.
      if core.isCancelled { return doesNotStart(pebble) }
      slot.bodyStarts(pebble)
      let result: Bool?
      if needsAttempts {
        result = await attempt(pebble)
      } else {
        if events.hasObservers { RunObservation(core).noteStart(of: pebble, at: time) }
        result = bindsEachBody ? await bindBody(of: pebble) : await callBody(of: pebble)
      }
      guard let succeeded = result else {
        bodyCameLate(pebble)
        return .isGivenUp
      }
      // A body that cancels its own task must not cancel those that come after it, and a task that
      // it has left behind is not part of them.
      let isShared = slot.isShared
      if isShared, !succeeded, !needsAttempts { bodyFailed(pebble) }
      let cases = asksCases ? program.cases(of: pebble, succeeded: succeeded, values) : CaseSet()
      // One reading serves as the end of this pebble and the start of the next.
      time = clock.now()
      pebbleEnded(pebble, succeeded: succeeded, cases, at: time)
      if needsAttempts || isShared {
        keepsUses = core.pebbleSettled(pebble, hasSucceeded: succeeded)
      }

      if isShared { slot.close() }
      if isShared || fitness.isUnfit, !core.isCancelled {
        shareAll(after: pebble)
        return .isUnfit
      }
      guard let next = takeNext(after: pebble) else { return .findsNothing }
      pebble = next
      // It may have waited for what another pebble gave back after this reading.
      if isOrdered { time = clock.now() }
    }
  }

  @inline(never)
  nonisolated(nonsending) private func attempt(_ pebble: Int) async -> Bool {
    await PebbleAttempts(core, pebble).call(with: queue.ordered?.thread(for: pebble))
  }

  /// A pebble does not start after all.
  @inline(never)
  private func doesNotStart(_ pebble: Int) -> End {
    if case .lease(let lease)? = queue.ordered?.thread(for: pebble) { lease.end() }
    if state.startRevoked(of: pebble) { return .findsNothing }
    storage.lateBodyEnded(at: pebble)
    return .isGivenUp
  }

  /// What runs inside of a body that has failed is shut down; until then the pebble keeps what it
  /// uses. Only of a slot that is shared: nothing else can have been started in it.
  @inline(never)
  private func bodyFailed(_ pebble: Int) {
    core.take { $0.bodyFailed(AttemptCall(core, pebble, in: slot.slotItself)) }
  }

  /// A body has ended that was given up: what runs inside of it is shut down.
  @inline(never)
  private func bodyCameLate(_ pebble: Int) {
    let slotItself = slot.slotItself
    slot.close()
    core.take { $0.bodyFailed(AttemptCall(core, pebble, in: slotItself)) }
    core.storage.lateBodyEnded(at: pebble)
  }

  @inline(__always)
  private mutating func pebbleEnded(
    _ pebble: Int, succeeded: Bool, _ cases: CaseSet, at time: UInt64
  ) {
    // Before anything follows from it, lest something start after the deadline.
    cancelIfDeadlinePassed(at: time)
    if !succeeded, core.isCancelled { RunObservation(core).noteCancelled(pebble) }
    let isObserved = watchesFailures || events.hasObservers
    decisions.listsSkipped = isObserved
    // Others want to see all that become ready, in one list.
    decisions.keepsNextApart = !isOrdered && !isObserved
    if isObserved {
      RunObservation(core).noteEnd(of: pebble, succeeded: succeeded, cases: cases, at: time)
    }
    state.pebbleFinished(
      pebble, succeeded: succeeded, cases: cases, at: time, into: &decisions)
    if isObserved {
      RunObservation(core).pebbleFinished(pebble, succeeded: succeeded, &decisions, at: time)
    }
  }

  @inline(__always)
  @discardableResult
  private func cancelIfDeadlinePassed(at time: UInt64) -> Bool {
    // A clock may have come to the end of all numbers; a deadline there is none.
    guard time >= deadline, deadline < .max else { return false }
    core.cancel(.deadlinePassed, at: deadline)
    return true
  }

  /// The first pebble that has just become ready stays with this runner; the others are for all.
  /// Where there is an order, all have to wait for their turn.
  @inline(__always)
  private mutating func takeNext(after pebble: Int) -> Int? {
    if isOrdered { return takeNextInOrder(after: pebble) }
    if let next = decisions.takeNext() {
      if !decisions.ready.isEmpty { shareReady() }
      return next
    }
    guard let next = decisions.ready.first else { return queue.take() }
    decisions.ready.removeFirst()
    shareReady()
    return Int(next)
  }

  @inline(never)
  private mutating func shareReady() {
    share(decisions.ready[...])
    decisions.ready.removeAll(keepingCapacity: true)
  }

  private mutating func takeNextInOrder(after pebble: Int) -> Int? {
    queue.ordered?.giveBack(pebble, keepsUses: keepsUses, adding: decisions.ready[...])
    keepsUses = false
    decisions.ready.removeAll(keepingCapacity: true)
    guard let next = queue.take() else { return nil }
    // What this runner has given back may have let more than one in.
    if !queue.isEmpty { core.summonSpare(isUrgent: true) }
    return next
  }

  private mutating func shareAll(after pebble: Int) {
    if isOrdered {
      queue.ordered?.giveBack(pebble, keepsUses: keepsUses, adding: decisions.ready[...])
      core.summonSpare(isUrgent: true)
    } else {
      if let next = decisions.takeNext() { decisions.ready.append(UInt32(next)) }
      share(decisions.ready[...])
    }
    decisions.ready.removeAll()
  }

  private func share(_ pebbles: ArraySlice<UInt32>) {
    guard !pebbles.isEmpty else { return }
    queue.append(pebbles)
    core.summonSpare(isUrgent: true)
  }

  @inline(never)
  nonisolated(nonsending) private func bindBody(of pebble: Int) async -> Bool? {
    await ContextSlot.$current.withValue(ownSlot) { await callBody(of: pebble) }
  }

  /// Calls the body and keeps what it returned or threw.
  ///
  /// - Returns: Whether the pebble succeeded; `nil` if the body was given up.
  @inline(__always)
  nonisolated(nonsending) private func callBody(of pebble: Int) async -> Bool? {
    do {
      let output = try await program.callBody(of: pebble, values)
      guard state.claimEnd(of: pebble) else { return nil }
      if let output { values.setPayload(output, at: pebble) }
      return true
    } catch {
      guard state.claimEnd(of: pebble) else { return nil }
      values.setPayload(ErrorBox(error), at: pebble)
      return false
    }
  }
}
