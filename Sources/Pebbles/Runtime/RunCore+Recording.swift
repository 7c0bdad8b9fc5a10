/// A run that is kept beyond its process.
extension RunCore {
  /// What is known as a run goes on that has begun in an earlier process.
  func knownOutcomes(of progress: RunProgress) -> KnownOutcomes {
    program.pond.knownOutcomes(disabled: progress.disabled, in: options.subset) {
      progress.givenCases[$0] ?? CaseSet()
    }
  }

  /// What the run begins with.
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

  /// Keeps how a body has ended, before anything follows from it.
  func keepEnd(of pebble: Int, succeeded: Bool, _ cases: CaseSet) async {
    guard let recording else { return }
    let notes = storage.notes(at: pebble)
    await recording.journal.bodyEnded(
      RunProgress.End(
        pebble, succeeded: succeeded, cases, storage.values.payload(of: pebble),
        started: storage.state.startTime(of: pebble), finished: clock.now(),
        attempts: notes?.attempts ?? [], wasCancelled: notes?.wasCancelled ?? false))
  }

  /// The run is about to be cancelled, unless it has been or is over. What is about the process is
  /// not kept: the run goes on in the next.
  func noteCancellation(_ reason: RunCancellation, at time: UInt64) {
    guard let recording, !isCancelled, !life.isOver else { return }
    if reason.isAboutProcess {
      recording.journal.processLeaves()
    } else {
      recording.journal.runCancelled(reason, at: time)
    }
  }

  /// Has the run torn down, and if it is not over leaves the rest of it to the next process.
  func leave() {
    if !isCancelled, !life.isOver { recording?.journal.processLeaves() }
    shutDown(.requested)
  }

  /// Nothing of the run is left, unless something is up that can be shut down.
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
  /// Goes on where earlier processes have died: lets happen once more what has happened, and starts
  /// services anew that were up.
  mutating func goOn(from progress: RunProgress) {
    if let (reason, time) = progress.cancellation { core.cancel(reason, at: time) }
    for pebble in progress.tornDown { core.life.change { $0.wasTornDown(pebble) } }
    let impossible = storage.replay(progress, into: &decisions) { [core] step, decisions in
      RunObservation(core).noteReplayed(step, &decisions)
    }
    precondition(impossible == nil, "a journal was not checked")
    if core.isEndAsked || progress.shutdown != nil { return decisions.ready.removeAll() }
    for pebble in program.servicesToRestore(progress) { restore(pebble) }
  }

  private func restore(_ pebble: Int) {
    let service = core.take { $0.serviceIsRestored(pebble) }
    guard crew.join() else { preconditionFailure("a run is at rest while it begins") }
    crew.enlist(core) { [core] in
      let isRestored = Promise<Void>()
      let options = core.program.options[UInt32(pebble)] ?? .none
      core.makeTask {
        await ServiceSupervisor(core, pebble, options, service, restored: isRestored).restore()
      }
      let runner = Runner(core, $0, $1)
      // In the task of a runner, so that the run is not at rest before it is over. A cancelled run
      // does not wait, for its shutdown stops the service.
      if !(await core.waits(for: isRestored, until: core.options.deadline ?? .max)) {
        runner.cancelIfDeadlinePassed(at: core.clock.now())
      }
      await runner.work()
    }
  }
}

extension Program {
  /// The services that were up when an earlier process died, ascending.
  func servicesToRestore(_ progress: RunProgress?) -> [Int] {
    guard let progress, progress.cancellation == nil, progress.shutdown == nil else { return [] }
    return progress.steps.compactMap { step in
      guard case .ended(let end) = step, end.succeeded,
        options[UInt32(end.pebble)]?.isService == true
      else { return nil }
      return end.pebble
    }.sorted()
  }
}
