/// The search for the pebbles that a run keeps from an earlier run.
///
/// The search simulates a run that starts only pebbles that can be kept. Each of them ends as it
/// did before, and stalls are not resolved. The pebbles that succeed in the simulation are kept.
/// Thus, the condition of a kept pebble holds because of kept pebbles and known outcomes alone. A
/// kept pebble never depends on a pebble that is run again.
struct KeptPebbles {
  private let core: RunCore
  private let program: Program

  /// The services that cannot be kept because a pebble bound to them is not kept.
  private var excluded: Set<Int> = []

  /// The pebbles for which the new run is given a new or different value.
  private let changed: Set<Int>

  /// The resumed run and the runs before it, keyed by their identifiers. Any of these runs may have
  /// called the body of a kept pebble.
  private let runs: [RunIdentifier: RunCore]

  init(_ core: RunCore, in program: Program, given: [Int: AnyOutput]) {
    self.core = core
    self.program = program
    runs = Dictionary(([core] + core.earlierRuns).map { ($0.identifier, $0) }) { first, _ in first }
    let earlier = core.options.given
    changed = Set(given.filter { earlier[$0.key]?.isSame(as: $0.value) != true }.keys)
  }

  /// Finds the pebbles to keep.
  ///
  /// - Parameter known: The outcomes that are known for the new run even if no pebble is kept.
  /// - Returns: The kept pebbles, and all outcomes known when the new run begins.
  /// - Complexity: O((*s* + 1) · (pebbles + atoms)), where *s* is the number of services that are
  ///   excluded because a pebble bound to them is not kept.
  mutating func found(
    knowing known: KnownOutcomes
  ) -> (kept: [Int: KeptPebble], known: KnownOutcomes) {
    while true {
      let (kept, order, state) = kept(knowing: known)
      let incomplete = kept.keys.filter { isIncomplete($0, kept, state) }
      if incomplete.isEmpty {
        return (
          kept,
          KnownOutcomes(
            disabled: known.disabled, notAskedFor: known.notAskedFor,
            succeeded: known.succeeded + order)
        )
      }
      excluded.formUnion(incomplete)
    }
  }

  /// Returns whether a service that is kept in the simulation must be excluded, because a pebble
  /// bound to the service is not kept.
  private func isIncomplete(
    _ service: Int, _ kept: [Int: KeptPebble], _ state: ReadinessState
  ) -> Bool {
    func runsAgain(_ pebble: Int) -> Bool {
      kept[pebble] == nil && !state.status(of: pebble).isSettled
    }
    // A service that restarts with another one must be in the same run as the other one.
    if program.families.followers[service]?.contains(where: runsAgain) == true { return true }
    // A pebble that is torn down only after a service has stopped must be in a run that is torn
    // down after the service's run. If the new run leaves the pebble out, the pebble is torn down
    // before the new run begins.
    let later = program.stopsBefore[service] ?? []
    return later.contains { pebble in
      runsAgain(pebble) || kept[pebble] == nil && core.status(of: pebble) == .succeeded
    }
  }

  private func kept(
    knowing known: KnownOutcomes
  ) -> ([Int: KeptPebble], [KnownOutcomes.Success], ReadinessState) {
    let state = ReadinessState(program.pond.network)
    var driver = ReadinessDriver(state, knowing: known)
    var kept: [Int: KeptPebble] = [:]
    var order: [KnownOutcomes.Success] = []
    while let pebble = driver.takeReady() {
      guard !excluded.contains(pebble), core.status(of: pebble) == .succeeded,
        areInputsAsBefore(of: pebble, state), let found = keptPebble(pebble)
      else { continue }
      kept[pebble] = found
      order.append(KnownOutcomes.Success(pebble, found.cases))
      driver.start(pebble, at: 0)
      driver.end(pebble, succeeded: true, cases: found.cases, at: 0)
    }
    return (kept, order, state)
  }

  /// Returns whether a ready pebble would receive the same inputs as before. The pebble must have
  /// succeeded in the resumed run, and all inputs must have settled. An input has changed if its
  /// status in the simulation differs from its status in the resumed run, if the new run is given a
  /// different value for it, or if it comes from a service that was restarted after the pebble took
  /// the service's output.
  private func areInputsAsBefore(of pebble: Int, _ state: ReadinessState) -> Bool {
    guard program.pond.graph.hasInputs(pebble) else { return true }
    return program.pond.graph.pebblesRead(by: pebble).allSatisfy { input in
      !changed.contains(input) && core.status(of: input) == state.status(of: input)
        && !hasRestarted(input, since: pebble)
    }
  }

  /// Returns whether a service has been restarted since a pebble took its output. If so, the output
  /// that the pebble took is no longer valid. Returns `false` for a pebble that is restarted with
  /// the service, because such a pebble has the new output.
  private func hasRestarted(_ service: Int, since reader: Int) -> Bool {
    program.families.leaders[reader]?.contains(service) != true
      && core.storage.hasRestarted(service, since: reader)
  }

  /// Returns the record for keeping a succeeded pebble in the new run; `nil` if the pebble cannot
  /// be kept.
  private func keptPebble(_ pebble: Int) -> KeptPebble? {
    // An output that was lost with an earlier process and was not made again cannot be kept.
    guard isIntact(pebble), !core.storage.values.isMissing(pebble) else { return nil }
    if let known = core.storage.kept[pebble] {
      return KeptPebble(
        run: known.run, output: known.output, cases: cases(of: pebble, known.output),
        origin: known.origin, inputRestarts: known.inputRestarts, duration: known.duration)
    }
    let output = core.storage.values.payload(at: pebble)
    let goesOn =
      core.program.options[UInt32(pebble)]?.isService == true
      || !core.life.read { $0.inner.runs(of: pebble).isEmpty }
    return KeptPebble(
      run: core.identifier, output: output, cases: cases(of: pebble, output),
      origin: goesOn ? core.storage : nil,
      inputRestarts: core.storage.notes(at: pebble)?.inputRestarts ?? [:],
      duration: PebbleRecord(core.storage, pebble).duration?.nanoseconds ?? 0)
  }

  /// Returns the cases that hold for an output. They are determined again, because cases may have
  /// been added to the pond since the pebble succeeded.
  private func cases(of pebble: Int, _ output: AnyOutput?) -> CaseSet {
    program.questions[UInt32(pebble)]?.answers(output: output) ?? CaseSet()
  }

  /// Returns whether everything that a pebble's body opened is still open, and no service inside
  /// the pebble is down. If the pebble is itself a service, it must also still be up. Call this
  /// method only for a pebble that has succeeded.
  private func isIntact(_ pebble: Int) -> Bool {
    guard let owner = owner(of: pebble) else {
      // The pebble was kept from a run that has been released, so nothing that it opened can be
      // torn down or can end.
      return core.storage.kept[pebble]?.origin == nil
    }
    guard owner.storage.servicesDownInside(at: pebble).isEmpty else { return false }
    let isService = owner.program.options[UInt32(pebble)]?.isService == true
    let hasOpened =
      owner.program.options[UInt32(pebble)]?.hasTeardown == true
      || owner.hasRuns(in: pebble)
    guard hasOpened else { return true }
    return owner.life.read { life in
      guard life.teardowns[pebble] == nil, !life.hasTeardownBegun else { return false }
      return !isService || life.isServiceUp(pebble)
    }
  }

  /// Returns the run that called the body of a pebble; `nil` if that run has been released. The
  /// result is the resumed run or, if the resumed run kept the pebble, an earlier run.
  private func owner(of pebble: Int) -> RunCore? {
    core.storage.kept[pebble].map { runs[$0.run] } ?? core
  }
}

extension RunCore {
  /// Returns the status of a pebble; `nil` if the pebble was added to the pond after this run had
  /// begun.
  fileprivate func status(of pebble: Int) -> PebbleStatus? {
    pebble < storage.state.network.pebbleCount ? storage.state.status(of: pebble) : nil
  }

  /// Returns whether runs were started inside a pebble.
  fileprivate func hasRuns(in pebble: Int) -> Bool {
    let (reports, dropped) = storage.nestedReports(at: pebble)
    return !reports.isEmpty || dropped > 0 || !life.read { $0.inner.runs(of: pebble).isEmpty }
  }
}
