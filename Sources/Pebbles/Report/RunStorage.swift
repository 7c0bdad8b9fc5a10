import Synchronization

/// Everything one run produces: the values of its pebbles, and notes on single ones. Runners write
/// it; the report keeps it.
package final class RunStorage: Sendable {
  package let pond: PondLogic
  package let values: RunValues

  /// The pebbles whose success the run has kept from an earlier one.
  let kept: [Int: KeptPebble]

  /// What is known of single pebbles beyond outcome and times; most have none of it.
  private let notes = Mutex<[Int: Notes]>([:])

  /// Reports of ponds that bodies ran.
  private let nested = Mutex(NestedReports())

  /// Why the journal of the run can no longer be written.
  private let knownJournalProblem = Mutex<String?>(nil)

  /// How many processes have worked on the run before this one.
  private let earlierProcesses = Atomic(0)

  /// Which pebbles were blocked, once all have settled and somebody has asked.
  private let knownBlocked = Mutex<BlockedPebbles?>(nil)

  /// What came of tearing the run down, once that is done.
  private let knownShutdown = Mutex<ShutdownReport?>(nil)

  /// What came of tearing down what a run that resumes this one has not kept.
  private let partsTornDown = Mutex<[ShutdownReport]>([])

  struct Notes: Sendable {
    /// The attempts of a pebble that may be tried again.
    var attempts: [PebbleAttempt] = []

    /// How many bodies go on although their attempt is over.
    var lateBodies = 0

    /// How and when a service ended that had been ready.
    var serviceEnd: ServiceEnd?

    /// Whether that was unasked, and for good.
    var isServiceDown = false

    /// The runs in which a service has gone down that were started in an attempt, with its number.
    var runsWithDown: [(attempt: Int, run: RunStorage)] = []

    /// How often a service was called again, and the latest of these calls.
    var restartCount = 0
    var restarts: [ServiceRestart] = []

    /// Whether it failed once its run had been cancelled.
    var wasCancelled = false

    /// What the undoing of late outputs failed with.
    var lateTeardownErrors: [any Error] = []
  }

  /// How many restarts of a service are kept, the newest.
  private static let mostRestarts = 100

  /// For a run that is to begin.
  ///
  /// - Parameters:
  ///   - pond: What it is a run of.
  ///   - subset: The pebbles that it is of; `nil` if it is of all.
  package convenience init(_ pond: PondLogic, of subset: Set<Int>? = nil) {
    self.init(pond, of: subset, keeping: [:])
  }

  /// For a run that goes on with what it has kept of an earlier one.
  convenience init(
    _ pond: PondLogic, of subset: Set<Int>?, keeping kept: [Int: KeptPebble],
    given: [Int: AnyOutput] = [:]
  ) {
    let state = ReadinessState(pond.network, asksGoal: pond.asksGoal(of: subset))
    self.init(pond, state, keeping: kept)
    for (pebble, output) in given { values.setPayload(output, at: pebble) }
  }

  /// For a run of which it is known how it stands, such as one that was simulated.
  ///
  /// - Parameters:
  ///   - pond: What it is a run of.
  ///   - state: How it stands.
  ///   - kept: The pebbles that were kept, each with the run that has called its body.
  package convenience init(
    _ pond: PondLogic, _ state: ReadinessState, keptFrom kept: [Int: RunIdentifier] = [:]
  ) {
    let kept = kept.mapValues {
      KeptPebble(run: $0, output: nil, cases: CaseSet(), origin: nil)
    }
    self.init(pond, state, keeping: kept)
  }

  private init(_ pond: PondLogic, _ state: ReadinessState, keeping kept: [Int: KeptPebble]) {
    self.pond = pond
    self.kept = kept
    values = RunValues(
      names: pond.graph.names, state, services: kept.compactMapValues(\.origin?.values))
    for (pebble, kept) in kept {
      if let output = kept.output { values.setPayload(output, at: pebble) }
    }
  }

  package var state: ReadinessState { values.state }

  /// The journal of the run can no longer be written.
  func journalBroke(_ problem: String) { knownJournalProblem.withLock { $0 = problem } }

  /// Why it cannot; `nil` if it can, or there is none.
  var journalProblem: String? { knownJournalProblem.withLock(\.self) }

  /// The run goes on that as many processes have worked on.
  func noteProcesses(_ count: Int) { earlierProcesses.store(count, ordering: .relaxed) }

  /// How many processes have worked on the run, with this one.
  var processCount: Int { earlierProcesses.load(ordering: .relaxed) + 1 }

  /// Which of the skipped pebbles were blocked, and which not needed, as far as the run has come.
  ///
  /// - Complexity: O(pebbles + atoms); once the run is over, and this was asked before, O(1).
  package var blocked: BlockedPebbles {
    if let known = knownBlocked.withLock(\.self) { return known }
    let statuses = (0..<state.network.pebbleCount).map(state.status(of:))
    let blocked = BlockedPebbles(state.network, statuses) { state.value(ofGate: $0) == true }
    if blocked.isFinal { knownBlocked.withLock { $0 = blocked } }
    return blocked
  }

  /// Whether it matters that a pebble was skipped; `nil` if it was not.
  ///
  /// - Complexity: That of ``blocked``.
  package func skipKind(of pebble: Int) -> SkipKind? {
    let status = state.status(of: pebble)
    return status.event == .skipped ? blocked.skipKind(of: pebble, status) : nil
  }

  /// Whether the body of a pebble has succeeded in this run, and not in one that it was kept from.
  func hasSucceededHere(_ pebble: Int) -> Bool {
    state.status(of: pebble) == .succeeded && kept[pebble] == nil
  }

  /// Whether there is something that the body of a pebble has opened and that is still there.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - isService: Whether it is a service that was called in this process.
  /// - Returns: Whether there is.
  func hasOpened(_ pebble: Int, isService: Bool = false) -> Bool {
    hasSucceededHere(pebble) && (isService || !values.isMissing(pebble))
  }

  /// What a body threw that is about to settle its pebble, in a run that is only simulated.
  package func bodyFailed(with error: any Error, at pebble: Int) {
    values.setPayload(ErrorBox(error), at: pebble)
  }

  /// What has been noted of a pebble; where it was kept and goes on, in the run that it belongs to.
  func notes(at pebble: Int) -> Notes? {
    if let origin = kept[pebble]?.origin { return origin.notes(at: pebble) }
    return notes.withLock { $0[pebble] }
  }

  func addAttempt(
    _ started: UInt64, _ finished: UInt64, _ result: Result<AnyOutput?, any Error>, at pebble: Int
  ) {
    var error: (any Error)?
    if case .failure(let failure) = result { error = failure }
    add(
      PebbleAttempt(
        started: started.asNanoseconds, finished: finished.asNanoseconds, error: error),
      at: pebble)
  }

  func add(_ attempt: PebbleAttempt, at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].attempts.append(attempt) }
  }

  /// An attempt is given up. Until `lateBodyEnded(at:)`, its body counts as running; calls of its
  /// completion come too late from now on.
  func bodyGoesOn(at pebble: Int, after error: any Error) {
    notes.withLock { $0[pebble, default: Notes()].lateBodies += 1 }
    values.completion(at: pebble)?.giveUp(error)
  }

  /// Whether a body goes on that a shutdown has given up.
  func isLeftBehind(_ pebble: Int) -> Bool {
    guard let timeout = values.error(at: pebble) as? PebbleTimeout, timeout.isLimitOfShutdown
    else { return false }
    return notes(at: pebble)?.lateBodies ?? 0 > 0
  }

  func lateBodyEnded(at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].lateBodies -= 1 }
  }

  func serviceEnded(_ end: ServiceEnd, at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].serviceEnd = end }
  }

  func serviceRestarted(_ restart: ServiceRestart, at pebble: Int) {
    notes.withLock { notes in
      notes[pebble, default: Notes()].restartCount += 1
      notes[pebble, default: Notes()].restarts.append(restart)
      if notes[pebble, default: Notes()].restarts.count > Self.mostRestarts {
        notes[pebble, default: Notes()].restarts.removeFirst()
      }
    }
  }

  /// A service has ended for good without having been asked to.
  func serviceIsDown(at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].isServiceDown = true }
  }

  /// A service has gone down in a run that was started in an attempt, or in a run inside of that.
  func serviceIsDown(inside run: RunStorage, at pebble: Int, attempt: Int) {
    notes.withLock { notes in
      let known = notes[pebble]?.runsWithDown ?? []
      guard known.count < Self.mostRestarts, !known.contains(where: { $0.run === run }) else {
        return
      }
      notes[pebble, default: Notes()].runsWithDown.append((attempt, run))
    }
  }

  /// The services that are down inside of a pebble that has succeeded. Those of an attempt that has
  /// failed are part of that failure.
  func servicesDownInside(at pebble: Int) -> [ServiceDownInside] {
    guard let notes = notes(at: pebble), !notes.runsWithDown.isEmpty,
      state.status(of: pebble) == .succeeded
    else { return [] }
    let last = max(1, notes.attempts.count) + notes.restartCount
    return notes.runsWithDown.filter { $0.attempt == last }.flatMap(\.run.servicesDown)
  }

  /// The services that have ended for good without having been asked to, of the run and of those
  /// inside.
  var servicesDown: [ServiceDownInside] {
    pebblesWithServiceDown.sorted().flatMap { pebble in
      let (name, notes) = (pond.graph.names[pebble], notes(at: pebble) ?? Notes())
      let own = notes.isServiceDown ? notes.serviceEnd : nil
      let inside = servicesDownInside(at: pebble)
      return (own.map { [ServiceDownInside(path: [name], end: $0)] } ?? [])
        + inside.map { ServiceDownInside(path: [name] + $0.path, end: $0.end) }
    }
  }

  /// The pebbles that are such a service, or have one inside.
  var pebblesWithServiceDown: Set<Int> {
    let notes = notes.withLock { notes in
      notes.filter { $0.value.isServiceDown || !$0.value.runsWithDown.isEmpty }
    }
    let down = notes.filter { $0.value.isServiceDown || !servicesDownInside(at: $0.key).isEmpty }
    let kept = kept.filter { pebble, kept in
      kept.origin?.pebblesWithServiceDown.contains(pebble) ?? false
    }
    return Set(down.keys).union(kept.keys)
  }

  /// The body of a pebble has failed in a run that had been cancelled.
  package func bodyWasCancelled(at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].wasCancelled = true }
  }

  /// Whether an output that came late, or of a service that was called again, was not torn down as
  /// it should have been.
  var hasLateTeardownErrors: Bool {
    notes.withLock { notes in notes.values.contains { !$0.lateTeardownErrors.isEmpty } }
  }

  func lateTeardownFailed(_ error: any Error, at pebble: Int) {
    notes.withLock { notes in
      guard notes[pebble, default: Notes()].lateTeardownErrors.count < Self.mostRestarts else {
        return
      }
      notes[pebble, default: Notes()].lateTeardownErrors.append(error)
    }
  }

  /// Keeps the report of a run inside of a body, unless the pebble has already settled: a service
  /// may run other ponds for as long as it lives.
  func addNested(_ report: Report, at pebble: Int) {
    guard !state.status(of: pebble).isSettled else { return }
    let weight = 1 + report.storage.nested.withLock(\.weight)
    // What has made room goes out here: what bodies returned may do anything when it does.
    let gone = nested.withLock { $0.add(report, weight: weight, of: pebble) }
    withExtendedLifetime(gone) {}
  }

  /// The reports of ponds that the body of a pebble ran, and how many older ones were dropped.
  func nestedReports(at pebble: Int) -> (reports: [Report], dropped: Int) {
    nested.withLock { ($0.reports(of: pebble), $0.droppedCount(of: pebble)) }
  }

  /// Part of the run has been torn down, because another one resumes it without that.
  func tornDownInPart(_ report: ShutdownReport) {
    if !report.records.isEmpty { partsTornDown.withLock { $0.append(report) } }
  }

  /// What has come of that: another run tells it from now on.
  func takePartsTornDown() -> [ShutdownReport] {
    partsTornDown.withLock { parts in
      defer { parts = [] }
      return parts
    }
  }

  /// The run has been torn down.
  func tornDown(_ report: ShutdownReport) {
    let all = ShutdownReport(partsTornDown.withLock(\.self) + [report])
    knownShutdown.withLock { $0 = all }
  }

  var shutdown: ShutdownReport? { knownShutdown.withLock { $0 } }
}
