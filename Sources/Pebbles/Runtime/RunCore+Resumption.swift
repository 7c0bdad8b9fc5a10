/// Functions for runs that resume an earlier run or are resumed by a later one.
extension RunCore {
  /// The chain of runs to which this run belongs; `nil` if this run neither resumes an earlier run
  /// nor is resumed.
  var chain: RunChain? { held.withLock { $0.chain } }

  /// The earlier runs in the chain that still exist, the newest first.
  var earlierRuns: [RunCore] {
    guard let runs = resumption?.chain.runs else { return [] }
    // A run that is still being made is not in the chain yet, so all runs of the chain are earlier.
    return runs.prefix { $0 !== self }.reversed()
  }

  /// The earlier runs that still have something to tear down.
  var earlierRunsToTearDown: [RunCore] { earlierRuns.filter(\.hasOpened) }

  /// Returns the pebbles that this run must still tear down. Pebbles whose teardown is left to the
  /// next process are excluded.
  func opened(_ life: borrowing RunLife) -> [Int] {
    program.options.filter(\.value.hasTeardown).keys.map(Int.init).filter {
      storage.hasOpened($0, isService: life.services[$0] != nil)
        && life.teardowns[$0]?.fulfilled == nil && !isLeftToNextProcess($0, life)
    }
  }

  var hasOpened: Bool {
    life.read { life in
      if case .ended = life.run.phase { return false }
      return !life.inner.isEmpty || !opened(life).isEmpty
    }
  }

  /// The running services, including those that were kept from an earlier run in which they are
  /// still running.
  var runningServices: Set<Int> {
    let own = life.read { $0.runningServices }
    return earlierRuns.reduce(into: own) { services, run in
      let running = run.life.read { $0.runningServices }
      services.formUnion(running.filter { storage.kept[$0]?.run == run.identifier })
    }
  }

  // MARK: Resuming

  /// Prepares for another run to resume this one.
  ///
  /// - Returns: The chain to which the new run is to be added.
  /// - Throws: ``PondError`` if this run cannot be resumed now.
  func beginResumption() throws(PondError) -> RunChain {
    let chain = held.withLock { held in
      let chain = held.chain ?? RunChain(self, shutdownReason: held.shutdownReason)
      held.chain = chain
      return chain
    }
    if let problem = chain.resumptionBegins(of: self) { throw cannotBeResumed(problem) }
    return chain
  }

  private func cannotBeResumed(_ problem: String) -> PondError {
    PondError(
      pondName: program.pond.graph.pondName,
      faults: [.invalidRun(problem: "cannot resume the earlier run: \(problem)")])
  }

  /// Tears down everything that this run has opened, except what the next run keeps.
  ///
  /// - Returns: Whether the next run can take over; `false` if a shutdown of this run is already in
  ///   progress.
  private func tearDown(keeping kept: [Int: KeptPebble]) async -> Bool {
    let phase = life.read(\.run.phase)
    if case .stopping = phase { return false }
    if case .ended = phase { return true }
    let own = kept.filter { $0.value.run == identifier }
    let isOver = Promise<Void>()
    held.withLock { $0.partTornDown = isOver }
    makeTask { [self] in
      let report = await Shutdown(self, nil, at: clock.now()).tearDown(allBut: Set(own.keys))
      storage.tornDownInPart(report)
      isOver.fulfill(())
    }
    // The wait also ends if a shutdown of the run is over before that.
    let first = Promise<Void>()
    isOver.whenFulfilled { first.fulfill(()) }
    life.shutdown.whenFulfilled { first.fulfill(()) }
    await first.value()
    return true
  }

  /// Waits until this run has torn down everything that the next run does not keep, or until the
  /// deadline, if there is one, has passed. Returns immediately if no run has resumed this one.
  func partIsTornDown(by deadline: UInt64?) async {
    guard let part = held.withLock({ $0.partTornDown }) else { return }
    _ = await waits(for: part, until: deadline ?? .max)
  }

  /// Determines which pebbles a resuming run keeps, and tears down the others.
  ///
  /// - Parameters:
  ///   - chain: The chain of runs to which the new run is added.
  ///   - program: The program for the current state of the pond.
  ///   - options: The options of the new run.
  /// - Returns: The state with which the new run begins.
  /// - Throws: ``PondError`` if the caller is inside a service that is not kept, or in a run inside
  ///   a pebble that is not kept. That service or run would wait for its own end.
  func prepareResumption(
    in chain: RunChain, by program: Program, _ options: RunOptions
  ) async throws(PondError) -> Resumption {
    var finder = KeptPebbles(self, in: program, given: options.given)
    let (kept, known) = finder.found(
      knowing: program.knownOutcomes(of: options.subset, given: options.given))
    let runs = chain.runs
    let innermost = EnclosingBody.current
    let waitsForItself = EnclosingBody.isAnyAround { body in
      kept[body.pebble]?.run != body.core.identifier
        && (body.isRunningService || body != innermost && body.hasRunsInside)
        && runs.contains { $0 === body.core }
    }
    if waitsForItself {
      chain.resumptionEnds()
      throw PondError(pondName: program.pond.graph.pondName, faults: [.waitsForItself])
    }
    let over = Set(runs.filter(\.isTornDown).map(\.identifier))
    // When a whole run is being torn down, the end of that teardown starts the teardown of the runs
    // before it.
    for run in runs.reversed() where await !run.tearDown(keeping: kept) { break }
    let running = runs.reduce(into: Set<Int>()) { $0.formUnion($1.pebblesWithRunningBodies) }
    return Resumption(
      known: known, kept: kept, chain: chain,
      pebblesWithRunningBodies: running.subtracting(kept.keys),
      owner: life.owner, first: resumption?.first ?? identifier, tornDownBefore: over)
  }

  /// Adds this run to the chain of the run that it resumes.
  ///
  /// - Throws: ``PondError`` if the chain is already being shut down.
  func joinChain() throws(PondError) {
    guard let chain = resumption?.chain else { return }
    life.change { $0.keptServices = Set(storage.kept.filter { $0.value.origin != nil }.keys) }
    guard chain.add(self) else {
      throw cannotBeResumed("it is being shut down; wait for its end")
    }
    // This run reports the parts of earlier runs that were torn down for it, because callers hold
    // the newest run.
    for earlier in earlierRuns {
      for part in earlier.storage.takePartsTornDown() { storage.tornDownInPart(part) }
    }
    // A kept service may have gone down since it was examined.
    for (pebble, kept) in storage.kept where kept.origin != nil {
      chain.runs.first { $0.identifier == kept.run }?.tellSuccessors(of: pebble)
    }
  }

  // MARK: Bodies and services of earlier runs

  /// The pebbles whose bodies were called by this run and may still be running.
  private var pebblesWithRunningBodies: Set<Int> {
    let late = program.pond.graph.names.indices.filter(storage.isLeftBehind)
    return life.read { Set($0.attempts.keys) }.union(late)
  }

  /// Waits until every call to a pebble's body in this run has ended. The wait ends early if `wait`
  /// returns `false`.
  ///
  /// - Parameters:
  ///   - pebble: The pebble, which may have been added to the pond after this run had begun.
  ///   - wait: A function that waits for a change and returns whether to continue waiting.
  /// - Returns: Whether all calls have ended.
  func bodiesEnded(
    of pebble: Int, waiting wait: (_ change: Promise<Void>) async -> Bool
  ) async -> Bool {
    while pebble < storage.state.network.pebbleCount {
      let (change, goesOn) = life.read { ($0.change, $0.attempts[pebble] != nil) }
      if !goesOn, !storage.isLeftBehind(pebble) { return true }
      if !(await wait(change)) { return false }
    }
    return true
  }

  /// Reports the current state of a service (up, temporarily down, or permanently down) to the
  /// newer runs that have kept the service.
  func tellSuccessors(of service: Int) {
    for newer in chain?.runs ?? [] where newer.storage.kept[service]?.run == identifier {
      // The state is read under the lock of the newer run, so that the last of several concurrent
      // calls sees the current state.
      newer.take { newer in
        let (isDown, staysDown) = life.read { life in
          let isDown = life.downServices.contains(service)
          return (isDown, isDown && life.staysDown(service))
        }
        newer.keptServiceChanged(service, isDown: isDown, staysDown: staysDown)
      }
    }
  }

  // MARK: Shutting down

  /// The time that remains for the shutdown of this run; `nil` if no limit was set in advance.
  private var timeOfShutdown: Duration? {
    held.withLock { $0.shutdownEnd }.map { $0.subtractingSaturated(clock.now()).asNanoseconds }
  }

  /// Sets a deadline for a future shutdown, as a duration from now. If several deadlines are set,
  /// the earliest one applies.
  func limitShutdown(to limit: Duration) {
    let end = clock.now().addingSaturated(limit.nanoseconds)
    held.withLock { $0.shutdownEnd = min($0.shutdownEnd ?? .max, end) }
  }

  /// Shuts down the next run of the chain if the whole chain is to be torn down. This method is
  /// called after this run has been torn down.
  func shutDownNextOfChain() {
    guard let (next, reason) = chain?.next() else { return }
    let inherited = life.read { $0.run.shutdownDeadline }.map {
      $0.time.subtractingSaturated(clock.now()).asNanoseconds
    }
    next.shutDownAlone(reason, within: [inherited, next.timeOfShutdown].compactMap(\.self).min())
  }
}
