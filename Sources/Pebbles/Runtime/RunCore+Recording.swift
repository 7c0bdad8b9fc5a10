/// Functions for runs that are recorded for later processes.
extension RunCore {
  /// Returns the outcomes that are known when this process takes over a run from an earlier
  /// process.
  func knownOutcomes(of progress: RunProgress) -> KnownOutcomes {
    program.pond.knownOutcomes(disabled: progress.disabled, in: options.subset) {
      progress.givenCases[$0] ?? CaseSet()
    }
  }

  /// Restores the cancellation or the end that an earlier process recorded. This method must be
  /// called before anything else can cancel the run.
  func restoreEnd() {
    guard let progress = recording?.progress else { return }
    if let (reason, time) = progress.cancellation { cancel(reason, at: time) }
    if progress.shutdown != nil { life.change { $0.run.hadEnded() } }
  }

  /// Returns a record of how the run begins.
  func beginning(knowing known: KnownOutcomes) -> RunBeginning {
    var given: [Int: (output: AnyOutput, cases: CaseSet)] = [:]
    for success in known.succeeded {
      if let output = options.given[Int(success.pebble)] {
        given[Int(success.pebble)] = (output, success.cases)
      }
    }
    return RunBeginning(
      targets: options.targets, disabled: known.disabled.map(Int.init), given: given)
  }

  /// Records that a body has ended. Does nothing if the run is not recorded. Call this method
  /// before the end has any consequences.
  func keepEnd(of pebble: Int, succeeded: Bool, _ cases: CaseSet) async {
    guard let recording else { return }
    let notes = storage.notes(at: pebble)
    await recording.journal.bodyEnded(
      RunProgress.End(
        pebble, succeeded: succeeded, cases, storage.values.payload(of: pebble),
        started: storage.state.startTime(of: pebble), finished: clock.now(),
        attempts: notes?.attempts ?? [], wasCancelled: notes?.wasCancelled ?? false))
  }

  /// Records an error thrown while tearing down a result that the pebble does not keep.
  func lateTeardownFailed(_ error: any Error, at pebble: Int) {
    storage.lateTeardownFailed(error, at: pebble)
    recording?.journal.lateTeardownFailed(pebble, error, at: clock.now())
  }

  /// Records teardowns and bodies that are still running after being abandoned by the shutdown.
  /// Services that did not stop have already been recorded.
  func keepUnended(of shutdown: ShutdownReport) async {
    let unended = shutdown.failures.filter { $0.error is PebbleTimeout && $0.isStillRunning }
    guard let recording, !unended.isEmpty else { return }
    let positions = Dictionary(zip(program.pond.graph.names, 0...)) { first, _ in first }
    for record in unended {
      guard let pebble = positions[record.pebble] else { continue }
      await recording.journal.tornDown(pebble, record.error, at: clock.now())
    }
  }

  /// Records that the run has been cancelled. If the run is left to the next process, records only
  /// that this process leaves the run.
  func noteCancellation() {
    guard let recording, let (reason, time) = life.read({ $0.run.cancellation }) else { return }
    if life.read(isLeftToNextProcess) {
      recording.journal.processWillExit()
    } else {
      recording.journal.runCancelled(reason, at: time)
    }
  }

  /// Returns whether the run is left for the next process to continue.
  private func isLeftToNextProcess(_ life: borrowing RunLife) -> Bool {
    if recording == nil { return false }
    if storage.journalProblem != nil { return true }
    guard let reason = life.run.cancellation?.reason else { return false }
    return reason.isAboutProcess || held.withLock(\.isLeft)
  }

  /// Returns whether the output of a pebble is recorded, and the pebble's teardown is left to the
  /// process that ends the run.
  func isLeftToNextProcess(_ pebble: Int, _ life: borrowing RunLife) -> Bool {
    isLeftToNextProcess(life) && recording?.journal.keeps(pebble) == true
  }

  /// Shuts down the run in this process. The next process continues the run if it is unfinished and
  /// was not cancelled before this call.
  func leave() {
    life.change { life in
      if life.run.cancellation == nil { held.withLock { $0.isLeft = true } }
    }
    shutDown(.requested)
  }

  /// Records the end of the run if there is nothing left to shut down.
  func noteEndIfNothingIsUp() {
    guard let recording else { return }
    let isEnded = life.read { life in
      switch life.run.phase {
      case .booting, .atRest, .stopping: false
      case .ending, .up: !life.run.isAnythingUp
      case .ended: true
      }
    }
    if isEnded { recording.journal.runEnded(at: clock.now()) }
  }
}

extension Runner {
  /// Continues a run that earlier processes began. Replays its recorded steps, and restores the
  /// services that were up. Nothing else starts until each of these services is up or known to stay
  /// down, because they would already be up in an uninterrupted run.
  mutating func goOn(from progress: RunProgress) async {
    for pebble in progress.tornDown { core.life.change { $0.wasTornDown(pebble) } }
    let impossible = storage.replay(progress, into: &decisions) { [core] step, decisions in
      RunObservation(core).noteReplayed(step, &decisions)
    }
    precondition(impossible == nil, "a journal was not checked")
    if core.isEndAsked || progress.shutdown != nil { return decisions.ready.removeAll() }

    let services = storage.servicesStillNeeded(
      of: program.servicesToRestore(progress), ended: progress.endedServices)
    // Limits might prevent the services from starting at the same time, so they start one after the
    // other.
    let isLimited = !program.pond.properties.limits.isUnlimited
    var starting: [Promise<Void>] = []
    for pebble in services {
      starting.append(restore(pebble))
      if isLimited, let last = starting.popLast(), !(await isSettled(last)) { return }
    }
    for service in starting where !(await isSettled(service)) { return }
  }

  /// Restarts a service that was up in an earlier process.
  ///
  /// - Returns: A promise that is fulfilled once the service is up, or is known to stay down.
  private func restore(_ pebble: Int) -> Promise<Void> {
    // The service is registered only now, because a service that is never called must not make a
    // shutdown wait.
    let life = core.take { $0.serviceIsRestored(pebble) }
    let isRestored = Promise<Void>()
    let options = program.options[UInt32(pebble)] ?? .none
    core.makeTask { [core] in
      await ServiceSupervisor(core, pebble, options, life, restored: isRestored).restore()
    }
    return isRestored
  }

  /// Waits until a service is up, or is known to stay down. The wait ends early if the run is
  /// cancelled or its deadline passes, because the shutdown then stops the service. In that case,
  /// the method also waits for the bodies that are producing lost outputs again, so that the
  /// shutdown limits the time of these bodies and tears down their outputs.
  ///
  /// - Returns: Whether the service is up or is known to stay down.
  private func isSettled(_ isRestored: Promise<Void>) async -> Bool {
    if await core.waits(for: isRestored, until: core.options.deadline ?? .max) { return true }
    cancelIfDeadlinePassed(at: clock.now())
    await core.missingOutputs.areMade()
    return false
  }
}

extension RunStorage {
  /// Returns the services that must be started again, because they had not ended or because their
  /// outputs may still be read. Outputs are read by waiting pebbles, by services that are started
  /// again, and by pebbles that are called again because their outputs were lost.
  fileprivate func servicesStillNeeded(of services: [Int], ended: Set<Int>) -> [Int] {
    var readers = pond.graph.names.indices.filter { state.status(of: $0) == .waiting }
    readers += services.filter { !ended.contains($0) }
    var needed = Set(readers)
    while let reader = readers.popLast() {
      guard pond.graph.hasInputs(reader) else { continue }
      for input in pond.graph.pebblesRead(by: reader)
      where values.isMissing(input) && needed.insert(input).inserted {
        readers.append(input)
      }
    }
    return services.filter(needed.contains)
  }
}

extension Program {
  /// Returns the services that came up in earlier processes, in the order in which they came up.
  /// The result is empty if the run was cancelled or its shutdown had begun.
  func servicesToRestore(_ progress: RunProgress?) -> [Int] {
    guard let progress, progress.cancellation == nil, progress.shutdown == nil else { return [] }
    return progress.steps.compactMap { step in
      guard case .ended(let end) = step, end.succeeded,
        options[UInt32(end.pebble)]?.isService == true
      else { return nil }
      return end.pebble
    }
  }
}
