import Synchronization

/// The results of one run: the values of its pebbles, and notes on individual pebbles. The run's
/// threads write the results, and the report retains them.
package final class RunStorage: Sendable {
  package let pond: PondLogic
  package let values: RunValues

  /// The pebbles whose success was kept from an earlier run.
  let kept: [Int: KeptPebble]

  /// The notes on individual pebbles, in addition to outcomes and times. Most pebbles have no
  /// notes.
  private let notes = Mutex<[Int: Notes]>([:])

  /// The reports of the ponds that were run inside bodies.
  private let nestedReports = Mutex(NestedReports())

  /// The reason why the journal of the run can no longer be written; `nil` if it can still be
  /// written, or if the run has no journal.
  private let knownJournalProblem = Mutex<String?>(nil)

  /// The number of earlier processes that worked on the run.
  private let earlierProcesses = Atomic(0)

  /// The cached value of `blocked`; `nil` until the value is final and has been read.
  private let knownBlocked = Mutex<BlockedPebbles?>(nil)

  /// The result of tearing down the run; `nil` until the teardown is done.
  private let knownShutdown = Mutex<ShutdownReport?>(nil)

  /// The results of tearing down pebbles that were not kept when a run was resumed.
  private let partsTornDown = Mutex<[ShutdownReport]>([])

  struct Notes: Sendable {
    /// The ended attempts of the pebble; usually empty if the pebble has no retry policy.
    var attempts: [PebbleAttempt] = []

    /// The number of bodies that are still running although their attempts are over.
    var lateBodies = 0

    /// Whether a body was abandoned by a shutdown.
    var isGivenUpByShutdown = false

    /// The most recent end of the service after it had become ready; `nil` if there was no such
    /// end.
    var serviceEnd: ServiceEnd?

    /// Whether the service has been called again since `serviceEnd`.
    var isCalledAgain = false

    /// The end of the most recent call to the service's body; `nil` if that call has not ended, or
    /// if the service was not ready.
    var endOfLastCall: ServiceEnd? { isCalledAgain ? nil : serviceEnd }

    /// Whether the service has ended permanently without being asked to stop.
    var isServiceDown = false

    /// The runs that the pebble started and in which a service has gone down, each paired with the
    /// number of the attempt that started it.
    var runsWithDown: [(attempt: Int, run: RunStorage)] = []

    /// The number of times the service was called again. `restarts` contains the most recent of
    /// these calls.
    var restartCount = 0
    var restarts: [ServiceRestart] = []

    /// The restart counts of the services that provide the pebble's inputs, keyed by service, as of
    /// the last time the pebble took its inputs. Services that had not been restarted by then are
    /// omitted.
    var inputRestarts: [Int: Int] = [:]

    /// Whether the body failed after its run had been cancelled.
    var wasCancelled = false

    /// The errors thrown by teardowns of results that the pebble does not keep.
    var lateTeardownErrors: [any Error] = []
  }

  /// The maximum number of restarts that are kept for a service. Beyond the limit, the oldest
  /// restarts are dropped. The same limit applies to each pebble's late teardown errors, and to its
  /// inner runs in which a service has gone down, but there, new entries are dropped instead.
  private static let mostNotes = 100

  /// Creates the storage of a run that has not begun.
  ///
  /// - Parameters:
  ///   - pond: The pond of the run.
  ///   - subset: The pebbles of the run; `nil` for all pebbles of the pond.
  package convenience init(_ pond: PondLogic, of subset: Set<Int>? = nil) {
    self.init(pond, of: subset, keeping: [:])
  }

  /// Creates the storage of a run with pebbles kept from an earlier run and with given outputs.
  convenience init(
    _ pond: PondLogic, of subset: Set<Int>?, keeping kept: [Int: KeptPebble],
    given: [Int: AnyOutput] = [:]
  ) {
    let state = ReadinessState(pond.network, goal: pond.goal(in: subset))
    self.init(pond, state, keeping: kept)
    for (pebble, output) in given { values.setPayload(output, at: pebble) }
  }

  /// Creates the storage of a run whose state is known, such as a simulated run.
  ///
  /// - Parameters:
  ///   - pond: The pond of the run.
  ///   - state: The state of the run.
  ///   - kept: The pebbles that were kept, each with the run that called its body.
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

  /// Records that the run's journal can no longer be written.
  ///
  /// - Parameter problem: The reason, worded like ``Report/journalProblem``.
  func journalBroke(_ problem: String) { knownJournalProblem.withLock { $0 = problem } }

  /// The reason why the journal can no longer be written; `nil` if it can be written, or if the run
  /// has no journal.
  var journalProblem: String? { knownJournalProblem.withLock(\.self) }

  /// Records the number of earlier processes that worked on the run.
  func noteProcesses(_ count: Int) { earlierProcesses.store(count, ordering: .relaxed) }

  /// The number of processes that have worked on the run, including this one.
  var processCount: Int { earlierProcesses.load(ordering: .relaxed) + 1 }

  /// The pebbles skipped so far, divided into blocked pebbles and pebbles that were not needed.
  ///
  /// - Complexity: O(pebbles + atoms), or O(1) if the run was over when the property was last read.
  package var blocked: BlockedPebbles {
    if let known = knownBlocked.withLock(\.self) { return known }
    let statuses = (0..<state.network.pebbleCount).map(state.status(of:))
    let blocked = BlockedPebbles(state.network, statuses) { state.value(ofGate: $0) == true }
    if blocked.isFinal { knownBlocked.withLock { $0 = blocked } }
    return blocked
  }

  /// Returns the kind of a pebble's skip; `nil` if the pebble was not skipped.
  ///
  /// - Complexity: The same as for ``blocked``.
  package func skipKind(of pebble: Int) -> SkipKind? {
    let status = state.status(of: pebble)
    return status.event == .skipped ? blocked.skipKind(of: pebble, status) : nil
  }

  /// Returns whether a pebble succeeded in this run. Returns `false` if its success was kept from
  /// an earlier run.
  func hasSucceededHere(_ pebble: Int) -> Bool {
    state.status(of: pebble) == .succeeded && kept[pebble] == nil
  }

  /// Returns whether a pebble succeeded in this run and left something that can still be torn down.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - isService: Whether the pebble is a service that can be torn down even if its output is
  ///     missing.
  /// - Returns: Whether something can still be torn down.
  func hasOpened(_ pebble: Int, isService: Bool = false) -> Bool {
    hasSucceededHere(pebble) && (isService || !values.isMissing(pebble))
  }

  /// Records the error of a body, just before the pebble settles. This method is used by
  /// simulated runs, and by runs whose bodies are called elsewhere.
  package func bodyFailed(with error: any Error, at pebble: Int) {
    values.setPayload(ErrorBox(error), at: pebble)
  }

  /// Returns the notes on a pebble. If the pebble was kept from an earlier run and is still active
  /// there, returns the notes of that run.
  func notes(at pebble: Int) -> Notes? {
    if let origin = kept[pebble]?.origin { return origin.notes(at: pebble) }
    return notes.withLock { $0[pebble] }
  }

  /// Changes the notes on a pebble in this run.
  private func changeNotes(at pebble: Int, _ change: (inout Notes) -> Void) {
    notes.withLock { change(&$0[pebble, default: Notes()]) }
  }

  /// Returns a pebble's ended attempts in this run; empty if the pebble has no retry policy and its
  /// body was called only once. Attempts in an earlier run are not included.
  func attempts(at pebble: Int) -> [PebbleAttempt] {
    notes.withLock { $0[pebble]?.attempts ?? [] }
  }

  func add(_ attempt: PebbleAttempt, at pebble: Int) {
    changeNotes(at: pebble) { $0.attempts.append(attempt) }
  }

  /// Records that an attempt is abandoned although its body continues. The body counts as running
  /// until `lateBodyEnded(at:)` is called. From now on, calls to the pebble's completion no longer
  /// affect the outcome. If a call reports a success, that success is undone.
  func bodyGivenUp(at pebble: Int, after error: any Error) {
    let isByShutdown = (error as? PebbleTimeout)?.isLimitOfShutdown == true
    changeNotes(at: pebble) { notes in
      notes.lateBodies += 1
      if isByShutdown { notes.isGivenUpByShutdown = true }
    }
    values.completion(at: pebble)?.giveUp(error)
  }

  /// Returns whether the body of a pebble was abandoned by a shutdown and is still running.
  func isLeftBehind(_ pebble: Int) -> Bool {
    guard let notes = notes(at: pebble) else { return false }
    return notes.isGivenUpByShutdown && notes.lateBodies > 0
  }

  func lateBodyEnded(at pebble: Int) {
    changeNotes(at: pebble) { $0.lateBodies -= 1 }
  }

  func serviceEnded(_ end: ServiceEnd, at pebble: Int) {
    changeNotes(at: pebble) { notes in
      notes.serviceEnd = end
      notes.isCalledAgain = false
    }
  }

  func serviceRestarted(_ restart: ServiceRestart, at pebble: Int) {
    changeNotes(at: pebble) { notes in
      notes.isCalledAgain = true
      notes.restartCount += 1
      notes.restarts.append(restart)
      if notes.restarts.count > Self.mostNotes { notes.restarts.removeFirst() }
    }
  }

  /// Records the result of `inputRestarts(of:)` for a body that is about to take its inputs.
  func takesInputs(restarted counts: [Int: Int], at pebble: Int) {
    if !counts.isEmpty { changeNotes(at: pebble) { $0.inputRestarts = counts } }
  }

  /// Records that a service has ended permanently without being asked to stop.
  func serviceIsDown(at pebble: Int) {
    changeNotes(at: pebble) { $0.isServiceDown = true }
  }

  /// Records that a service has gone down in a run started by an attempt, or in a run inside that
  /// run.
  func serviceIsDown(inside run: RunStorage, at pebble: Int, attempt: Int) {
    changeNotes(at: pebble) { notes in
      // Earlier attempts no longer matter, and take no room from this one.
      notes.runsWithDown.removeAll { $0.attempt < attempt }
      let isKnown = notes.runsWithDown.contains { $0.run === run }
      guard notes.runsWithDown.count < Self.mostNotes, !isKnown else { return }
      notes.runsWithDown.append((attempt, run))
    }
  }

  /// Returns the services that are down in the runs started by a pebble's last attempt; empty
  /// unless the pebble has succeeded. Services of a failed attempt are left out, because the
  /// failure already accounts for them.
  func servicesDownInside(at pebble: Int) -> [ServiceDownInside] {
    guard let notes = notes(at: pebble), !notes.runsWithDown.isEmpty,
      state.status(of: pebble) == .succeeded
    else { return [] }
    let last = max(1, notes.attempts.count) + notes.restartCount
    return notes.runsWithDown.filter { $0.attempt == last }.flatMap(\.run.servicesDown)
  }

  /// The services that have ended permanently without being asked to stop, in this run and in the
  /// runs inside it.
  var servicesDown: [ServiceDownInside] {
    notedServices.sorted().flatMap { pebble in
      let (name, notes) = (pond.graph.names[pebble], notes(at: pebble) ?? Notes())
      let own = notes.isServiceDown ? notes.serviceEnd : nil
      let inside = servicesDownInside(at: pebble)
      return (own.map { [ServiceDownInside(path: [name], end: $0)] } ?? [])
        + inside.map { ServiceDownInside(path: [name] + $0.path, end: $0.end) }
    }
  }

  /// The pebbles with a service that has ended permanently without being asked to stop. The service
  /// is the pebble itself, or a service of a run inside the pebble.
  var pebblesWithServiceDown: Set<Int> {
    notedServices.filter { pebble in
      notes(at: pebble)?.isServiceDown == true || !servicesDownInside(at: pebble).isEmpty
    }
  }

  /// The pebbles that may have a service that is down. They include all kept pebbles that are still
  /// active in an earlier run.
  private var notedServices: Set<Int> {
    let noted = notes.withLock { notes in
      notes.filter { $0.value.isServiceDown || !$0.value.runsWithDown.isEmpty }
    }
    return Set(noted.keys).union(kept.filter { $0.value.origin != nil }.keys)
  }

  /// Records that the body of a pebble failed after the run had been cancelled.
  package func bodyWasCancelled(at pebble: Int) {
    changeNotes(at: pebble) { $0.wasCancelled = true }
  }

  /// Whether any pebble has errors from tearing down results that it does not keep. This includes
  /// the pebbles that are still active in an earlier run.
  var hasLateTeardownErrors: Bool {
    let hasOwn = notes.withLock { notes in
      notes.values.contains { !$0.lateTeardownErrors.isEmpty }
    }
    return hasOwn
      || kept.contains { pebble, kept in
        kept.origin?.notes(at: pebble)?.lateTeardownErrors.isEmpty == false
      }
  }

  func lateTeardownFailed(_ error: any Error, at pebble: Int) {
    changeNotes(at: pebble) { notes in
      if notes.lateTeardownErrors.count < Self.mostNotes { notes.lateTeardownErrors.append(error) }
    }
  }

  /// Adds the report of a run inside a body, unless the pebble has already settled. Later reports
  /// are not kept, because a service may run any number of ponds after it has settled.
  func addNestedReport(_ report: Report, at pebble: Int) {
    guard !state.status(of: pebble).isSettled else { return }
    let weight = 1 + report.storage.nestedReports.withLock(\.weight)
    // The removed reports are released outside of the lock, because the release of a body's output
    // can run any code.
    let gone = nestedReports.withLock { $0.add(report, weight: weight, of: pebble) }
    withExtendedLifetime(gone) {}
  }

  /// Returns the reports of the runs inside a pebble, and the number of older reports that were
  /// dropped.
  func nestedReports(at pebble: Int) -> (reports: [Report], dropped: Int) {
    nestedReports.withLock { ($0.reports(of: pebble), $0.droppedCount(of: pebble)) }
  }

  /// Records the teardown of the pebbles that were not kept when a run was resumed.
  func tornDownInPart(_ report: ShutdownReport) {
    if !report.records.isEmpty { partsTornDown.withLock { $0.append(report) } }
  }

  /// Removes and returns the results recorded by `tornDownInPart(_:)`, so that another run can
  /// report them instead.
  func takePartsTornDown() -> [ShutdownReport] {
    partsTornDown.withLock { parts in
      defer { parts = [] }
      return parts
    }
  }

  /// Records that the run has been torn down.
  func tornDown(_ report: ShutdownReport) {
    let all = ShutdownReport(partsTornDown.withLock(\.self) + [report])
    knownShutdown.withLock { $0 = all }
  }

  var shutdown: ShutdownReport? { knownShutdown.withLock { $0 } }
}
