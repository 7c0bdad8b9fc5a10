/// Finds what a run can keep of an earlier one.
///
/// The engine says so itself: a run is driven in which only those pebbles end that may be kept, as
/// they did, and nothing is settled at rest. What has succeeded there in the end is kept. So its
/// condition is true because of what is kept alone, whatever becomes of everything else, and what
/// is kept never depends on what is run again.
struct KeptPebbles {
  private let core: RunCore
  private let program: Program

  /// Who leads a family of services, and is not to be kept without all who follow it.
  private var excluded: Set<Int> = []

  /// Those that the new run is given another value for.
  private let changed: Set<Int>

  /// The runs that may have called a body, by their identifiers.
  private let runs: [RunIdentifier: RunCore]

  init(_ core: RunCore, in program: Program, given: [Int: AnyOutput]) {
    self.core = core
    self.program = program
    runs = Dictionary(([core] + core.earlierRuns).map { ($0.identifier, $0) }) { first, _ in first }
    let earlier = core.options.given
    changed = Set(given.filter { earlier[$0.key]?.isSame(as: $0.value) != true }.keys)
  }

  /// - Parameter known: Who takes no part in the new run.
  /// - Returns: What is kept, by pebble; and how pebbles stand as the new run begins.
  /// - Complexity: O(pebbles + atoms); for each service that others restart with and that is not
  ///   kept because of them, as much again.
  mutating func found(
    knowing known: KnownOutcomes
  ) -> (kept: [Int: KeptPebble], known: KnownOutcomes) {
    while true {
      let (kept, order, state) = kept(knowing: known)
      // Who restarts with a service has to be in the run that calls it again; and what is torn down
      // only after a service has stopped, in a run that is torn down after its own.
      let bound = program.families.followers.mapValues(Array.init)
        .merging(program.stopsBefore) { $0 + $1 }
      let incomplete = bound.filter { service, others in
        kept[service] != nil
          && others.contains { kept[$0] == nil && !state.status(of: $0).isSettled }
      }
      if incomplete.isEmpty {
        return (
          kept,
          KnownOutcomes(
            disabled: known.disabled, notAskedFor: known.notAskedFor,
            succeeded: known.succeeded + order)
        )
      }
      excluded.formUnion(incomplete.keys)
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
      guard !excluded.contains(pebble), areInputsAsBefore(of: pebble, state),
        let found = keptPebble(pebble)
      else { continue }
      kept[pebble] = found
      order.append(KnownOutcomes.Success(pebble, found.cases))
      driver.start(pebble, at: 0)
      driver.end(pebble, succeeded: true, cases: found.cases, at: 0)
    }
    return (kept, order, state)
  }

  /// Whether a pebble that is ready, so that all its inputs have settled, would be handed the same:
  /// what was kept, and was handed over before it began; or of one that is skipped now as before
  /// nothing.
  private func areInputsAsBefore(of pebble: Int, _ state: ReadinessState) -> Bool {
    guard program.pond.graph.hasInputs(pebble) else { return true }
    return program.pond.graph.pebblesRead(by: pebble).allSatisfy { input in
      if changed.contains(input) { return false }
      let status = state.status(of: input)
      return status == .succeeded
        ? !hasRestarted(input, since: pebble) : core.status(of: input) == status
    }
  }

  /// Whether a service has been called again since the body of a pebble was that took its output:
  /// that is gone. Who restarts with it has been handed the new one.
  private func hasRestarted(_ service: Int, since reader: Int) -> Bool {
    guard program.options[UInt32(service)]?.isService == true,
      program.families.leaders[reader]?.contains(service) != true,
      let owner = owner(of: service), self.owner(of: reader) === owner,
      let last = owner.storage.notes(at: service)?.restarts.last
    else { return false }
    return last.time.nanoseconds >= owner.storage.state.startTime(of: reader)
  }

  private func keptPebble(_ pebble: Int) -> KeptPebble? {
    // What died with an earlier process, and was not made again, cannot be kept.
    guard core.status(of: pebble) == .succeeded, isStillThere(pebble),
      !core.storage.values.isMissing(pebble)
    else { return nil }
    if let known = core.storage.kept[pebble] {
      return KeptPebble(
        run: known.run, output: known.output, cases: cases(of: pebble, known.output),
        origin: known.origin)
    }
    let output = core.storage.values.payload(at: pebble)
    let goesOn =
      core.program.options[UInt32(pebble)]?.isService == true
      || !core.life.read { $0.inner.runs(of: pebble).isEmpty }
    return KeptPebble(
      run: core.identifier, output: output, cases: cases(of: pebble, output),
      origin: goesOn ? core.storage : nil)
  }

  /// Asked again, for the pond may have got new ones.
  private func cases(of pebble: Int, _ output: AnyOutput?) -> CaseSet {
    program.questions[UInt32(pebble)]?.answers(output: output) ?? CaseSet()
  }

  /// Whether what the body of a pebble that has succeeded has opened is there as it was.
  private func isStillThere(_ pebble: Int) -> Bool {
    guard let owner = owner(of: pebble) else {
      // It was kept, and nobody can tear it down any more, nor is there anything that could end.
      return core.storage.kept[pebble]?.origin == nil
    }
    let isService = owner.program.options[UInt32(pebble)]?.isService == true
    let hasOpened =
      owner.program.options[UInt32(pebble)]?.hasTeardown == true
      || owner.hasRuns(in: pebble)
    guard hasOpened else { return true }
    return owner.life.read { life in
      guard life.teardowns[pebble] == nil, !life.isTornDown else { return false }
      return !isService || life.isServiceUp(pebble)
    }
  }

  /// The run that has called the body of a pebble: the one that is resumed, or the one that it was
  /// kept from.
  private func owner(of pebble: Int) -> RunCore? {
    core.storage.kept[pebble].map { runs[$0.run] } ?? core
  }
}

extension RunCore {
  /// How a pebble stands; `nil` for one that the pond has got since.
  fileprivate func status(of pebble: Int) -> PebbleStatus? {
    pebble < storage.state.network.pebbleCount ? storage.state.status(of: pebble) : nil
  }

  /// Whether runs were started inside of a pebble.
  fileprivate func hasRuns(in pebble: Int) -> Bool {
    let (reports, dropped) = storage.nestedReports(at: pebble)
    return !reports.isEmpty || dropped > 0 || !life.read { $0.inner.runs(of: pebble).isEmpty }
  }
}
