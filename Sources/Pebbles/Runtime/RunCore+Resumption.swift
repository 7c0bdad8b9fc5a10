/// Runs that resume each other.
extension RunCore {
  /// The runs that resume this one, or that it resumes, and itself; `nil` if there are none.
  var line: RunLine? { held.withLock { $0.line } }

  /// The runs before this one in its line that somebody still holds, the newest first.
  var earlierRuns: [RunCore] {
    guard let runs = resumption?.line.runs else { return [] }
    // One that is only being made comes after all others.
    return runs.prefix { $0 !== self }.reversed()
  }

  /// Those of them that have something up.
  var earlierRunsWithOpened: [RunCore] { earlierRuns.filter(\.hasOpened) }

  /// What bodies of this run have opened and nobody has torn down.
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

  /// What the services that run are: also those that were kept, and run elsewhere.
  var runningServices: Set<Int> {
    let own = life.read { $0.runningServices }
    return earlierRuns.reduce(into: own) { services, run in
      let running = run.life.read { $0.runningServices }
      services.formUnion(running.filter { storage.kept[$0]?.run == run.identifier })
    }
  }

  // MARK: Resuming

  /// Another run is about to resume this one.
  ///
  /// - Returns: The line of runs that it is to be added to.
  /// - Throws: ``PondError`` if this one cannot be resumed now.
  func beginResumption() throws(PondError) -> RunLine {
    let line = held.withLock { held in
      let line = held.line ?? RunLine(self, shutdownReason: held.shutdownReason)
      held.line = line
      return line
    }
    if let problem = line.resumptionBegins(of: self) { throw cannotBeResumed(problem) }
    return line
  }

  private func cannotBeResumed(_ problem: String) -> PondError {
    PondError(
      pondName: program.pond.graph.pondName,
      faults: [.invalidRun(problem: "is to resume one \(problem)")])
  }

  /// Tears down what this run has opened and the next one does not keep.
  ///
  /// - Returns: Whether there may be a next one; otherwise all of this run is being torn down.
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
    // A shutdown that comes meanwhile does not wait longer for it than it may.
    let first = Promise<Void>()
    isOver.whenFulfilled { first.fulfill(()) }
    life.shutdown.whenFulfilled { first.fulfill(()) }
    await first.value()
    return true
  }

  /// Waits until what the next run does not keep has been torn down, if one is being made.
  func partIsTornDown(by deadline: UInt64?) async {
    guard let part = held.withLock({ $0.partTornDown }) else { return }
    _ = await waits(for: part, until: deadline ?? .max)
  }

  /// Makes what a run goes on with that resumes this one, and tears down the rest.
  ///
  /// - Parameters:
  ///   - line: The runs that it is added to.
  ///   - program: The pond as it is now.
  ///   - options: What the new run was given.
  /// - Returns: What it goes on with.
  /// - Throws: ``PondError`` inside of a service that is not kept: it would wait for its own end.
  func prepareResumption(
    in line: RunLine, by program: Program, _ options: RunOptions
  ) async throws(PondError) -> Resumption {
    var finder = KeptPebbles(self, in: program, given: options.given)
    let (kept, known) = finder.found(
      knowing: program.knownOutcomes(of: options.subset, given: options.given))
    let runs = line.runs
    let waitsForItself = EnclosingBody.isAnyAround { body in
      kept[body.pebble]?.run != body.core.identifier && body.isRunningService
        && runs.contains { $0 === body.core }
    }
    if waitsForItself {
      line.resumptionEnds()
      throw PondError(pondName: program.pond.graph.pondName, faults: [.waitsForItself])
    }
    let over = Set(runs.filter(\.isTornDown).map(\.identifier))
    // Those before one that is being torn down come after it.
    for run in runs.reversed() where await !run.tearDown(keeping: kept) { break }
    let goingOn = runs.reduce(into: Set<Int>()) { $0.formUnion($1.pebblesGoingOn) }
    return Resumption(
      known: known, kept: kept, line: line, goingOn: goingOn.subtracting(kept.keys),
      owner: life.owner, first: resumption?.first ?? identifier, tornDownBefore: over)
  }

  /// The run begins that resumes others.
  ///
  /// - Throws: ``PondError`` if these are being shut down meanwhile.
  func joinLine() throws(PondError) {
    guard let line = resumption?.line else { return }
    life.change { $0.keptServices = Set(storage.kept.filter { $0.value.origin != nil }.keys) }
    guard line.add(self) else {
      throw cannotBeResumed("that is being shut down; wait for that")
    }
    // What was torn down for this run is told by its shutdown: who holds the newest run holds that.
    for earlier in earlierRuns {
      for part in earlier.storage.takePartsTornDown() { storage.tornDownInPart(part) }
    }
    // It may have gone down since it was looked at.
    for (pebble, kept) in storage.kept where kept.origin != nil {
      for earlier in line.runs where earlier.identifier == kept.run {
        earlier.tellSuccessors(of: pebble)
      }
    }
  }

  // MARK: What goes on in earlier runs

  /// The pebbles of which a body goes on that this run has called.
  private var pebblesGoingOn: Set<Int> {
    let late = program.pond.graph.names.indices.filter(storage.isLeftBehind)
    return life.read { Set($0.attempts.keys) }.union(late)
  }

  /// Waits until no body of a pebble goes on that this run has called.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - wait: Waits for a change; says whether to go on.
  /// - Returns: Whether that is so.
  func bodiesEnded(
    of pebble: Int, waiting wait: (_ change: Promise<Void>) async -> Bool
  ) async -> Bool {
    while true {
      let (change, goesOn) = life.read { ($0.change, $0.attempts[pebble] != nil) }
      if !goesOn, !storage.isLeftBehind(pebble) { return true }
      if !(await wait(change)) { return false }
    }
  }

  /// A service has gone down that newer runs may have kept, for a while or for good, or come up
  /// again.
  func tellSuccessors(of service: Int) {
    for newer in line?.runs ?? [] where newer.storage.kept[service]?.run == identifier {
      // Read under the lock of the newer run: of two that come at the same time, the last one sees
      // how it is.
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

  /// How long a shutdown may still take that was asked for before it is the turn of this run.
  private var timeOfShutdown: Duration? {
    held.withLock { $0.shutdownEnd }.map { $0.subtractingSaturated(clock.now()).asNanoseconds }
  }

  /// Limits that.
  func limitShutdown(to limit: Duration) {
    let end = clock.now().addingSaturated(limit.nanoseconds)
    held.withLock { $0.shutdownEnd = min($0.shutdownEnd ?? .max, end) }
  }

  /// The run has been torn down: if all of its line are to be, the next one is.
  func shutDownNextOfLine() {
    guard let (next, reason) = line?.next() else { return }
    let inherited = life.read { $0.run.shutdownDeadline }.map {
      $0.time.subtractingSaturated(clock.now()).asNanoseconds
    }
    next.shutDownAlone(reason, within: [inherited, next.timeOfShutdown].compactMap(\.self).min())
  }
}
