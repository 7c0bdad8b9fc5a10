import Synchronization

/// The runs that were started inside of one run, each with the attempt that it belongs to.
///
/// A run belongs to the attempt that it was started in from its first moment on, whatever its pond
/// looks like, and until nothing of it is up. It is shut down
///
/// - when that attempt has failed or was given up, as soon as the body has ended, and before the
///   body is called again;
/// - otherwise when the run around is shut down, at the place of its pebble: of a service, after
///   the service has ended;
/// - at once, if it is started when that is over.
///
/// Of one attempt, those that were started last are shut down first.
final class InnerRuns: Sendable {
  private struct Entry {
    let run: RunCore
    let slot: ContextSlot
  }

  private struct State {
    /// By pebble, and by number, which ascends in the order of starting.
    var entries: [Int: [Int: Entry]] = [:]
    var startedSoFar = 0

    /// The pebbles in which runs may still be started, once the shutdown of the run around has
    /// begun: those whose place in that is yet to come.
    var open: Set<Int>?

    /// Those of a pebble, the last one first.
    func runs(of pebble: Int, where isSuch: (Entry) -> Bool = { _ in true }) -> [RunCore] {
      (entries[pebble] ?? [:]).filter { isSuch($0.value) }.sorted { $0.key > $1.key }
        .map(\.value.run)
    }
  }

  private let state = Mutex(State())

  /// Where the run around was started itself.
  let owner: RunOwner?

  init(owner: RunOwner?) {
    self.owner = owner
  }

  /// A run starts.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - owner: The attempt that it is started in.
  /// - Returns: Its number; `nil` if it comes too late, and is to be shut down at once.
  func add(_ run: RunCore, of owner: RunOwner) -> Int? {
    state.withLock { state in
      if state.open?.contains(owner.pebble) == false || owner.slot.hasFailed { return nil }
      state.startedSoFar += 1
      state.entries[owner.pebble, default: [:]][state.startedSoFar] = Entry(
        run: run, slot: owner.slot)
      return state.startedSoFar
    }
  }

  /// Nothing is up of a run any more.
  func remove(_ number: Int, of pebble: Int) {
    let removed = state.withLock { state -> Entry? in
      defer { if state.entries[pebble]?.isEmpty == true { state.entries[pebble] = nil } }
      return state.entries[pebble]?.removeValue(forKey: number)
    }
    // It may have been the last to hold the run, which must not go under the lock.
    withExtendedLifetime(removed) {}
  }

  /// An attempt has failed, and its body has ended: what is started in it from now on comes too
  /// late.
  ///
  /// - Returns: What runs inside of it.
  func attemptFailed(_ slot: ContextSlot, of pebble: Int) -> [RunCore] {
    state.withLock { state in
      slot.attemptFailed()
      return state.runs(of: pebble) { $0.slot === slot }
    }
  }

  /// The run around is about to be torn down: what is started from now on in other pebbles than
  /// those that have a place in that comes too late.
  ///
  /// - Parameter candidates: Those with something else to tear down.
  /// - Returns: Those with a place.
  func shutdownBegins(with candidates: some Sequence<Int>) -> Set<Int> {
    state.withLock { state in
      let open = Set(state.entries.keys).union(candidates)
      state.open = open
      return open
    }
  }

  /// What runs inside of a pebble.
  func runs(of pebble: Int) -> [RunCore] { state.withLock { $0.runs(of: pebble) } }

  /// The place of a pebble in the shutdown has come: what is started in it from now on comes too
  /// late.
  ///
  /// - Returns: What runs inside of it.
  func close(_ pebble: Int) -> [RunCore] {
    state.withLock { state in
      state.open?.remove(pebble)
      return state.runs(of: pebble)
    }
  }

  /// Whether the shutdown of the run around has begun.
  var isClosed: Bool { state.withLock { $0.open != nil } }

  /// Nobody can shut the run around down any more, nor what is inside: it goes on by itself.
  func runAroundIsGone() {
    let entries = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries
    }
    withExtendedLifetime(entries) {}
  }

  /// The run around has been torn down: what is started from now on comes too late.
  ///
  /// - Returns: What is left.
  func close() -> [(pebble: Int, run: RunCore)] {
    state.withLock { state in
      state.open = []
      return state.entries.keys.sorted().flatMap { pebble in
        state.runs(of: pebble).map { (pebble, $0) }
      }
    }
  }
}

/// The attempt that a run is started in.
struct RunOwner: Sendable {
  let slot: ContextSlot
  let pebble: Int

  /// That of the asking task: also of one that has outlived the body that started it.
  static var current: RunOwner? {
    guard let slot = ContextSlot.current, slot.innerRuns != nil, let pebble = slot.position else {
      return nil
    }
    return RunOwner(slot: slot, pebble: pebble)
  }

  /// To what a run belongs that is started in an attempt.
  enum Belonging {
    case attempt(RunOwner, RunCore)
    /// Nobody can shut the run around down any more.
    case nobody
    /// It comes too late.
    case over
  }

  /// To the attempt, or to one further out, where there is no other reference to the run any more
  /// that the attempt was of.
  var belonging: Belonging {
    var next: RunOwner? = self
    while let owner = next {
      if let run = owner.slot.runAround { return .attempt(owner, run) }
      if owner.slot.hasFailed || owner.slot.innerRuns?.isClosed == true { return .over }
      next = owner.slot.innerRuns?.owner
    }
    return .nobody
  }
}

/// A run as what belongs to an attempt of another one.
extension RunCore {
  /// The run starts, or something of it comes up anew: it belongs to the attempt that it was
  /// started in.
  ///
  /// - Returns: Whether that is still possible; otherwise the run is to be shut down at once.
  func joinOwner() -> Bool {
    let (owner, around): (RunOwner, RunCore)
    switch self.owner?.belonging ?? .nobody {
    case .nobody: return true
    case .over: return false
    case .attempt(let found, let run): (owner, around) = (found, run)
    }
    var isNew = false
    let belongs = placeAtOwner.withLock { place in
      if place != nil { return true }
      place = around.innerRuns.add(self, of: owner).map { (owner, $0) }
      isNew = place != nil
      return isNew
    }
    // The run around may have been let go of with nothing up, and what is around it be over.
    guard isNew else { return belongs }
    if around.innerRunStarted() { return true }
    leaveOwner()
    return false
  }

  /// The attempt that the run belongs to, as long as something of it is up.
  var ownerAround: (owner: RunOwner, around: RunCore)? {
    guard let owner = placeAtOwner.withLock({ $0?.owner }), let around = owner.slot.runAround else {
      return nil
    }
    return (owner, around)
  }

  /// Is let go of by the attempt that it belongs to, once nothing of it is up: a server whose
  /// requests run ponds keeps none of these.
  func leaveOwnerIfNothingIsUp() {
    guard owner != nil else { return }
    leaveOwner { !life.take { $0.isAnythingUp } }
  }

  private func leaveOwner(if isLeaving: () -> Bool = { true }) {
    let left = placeAtOwner.withLock { place -> (owner: RunOwner, number: Int)? in
      guard let known = place, isLeaving() else { return nil }
      place = nil
      return known
    }
    guard let (owner, number) = left else { return }
    owner.slot.innerRuns?.remove(number, of: owner.pebble)
    owner.slot.runAround?.innerRunEnded()
  }

  /// - Returns: Whether this run can be shut down with what it belongs to.
  private func innerRunStarted() -> Bool {
    life.take { $0.innerRunStarted() }
    return joinOwner()
  }

  private func innerRunEnded() {
    life.take { $0.innerRunEnded() }
    leaveOwnerIfNothingIsUp()
  }

  /// Shuts down what runs inside of a failed attempt whose body has ended.
  ///
  /// - Parameters:
  ///   - slot: That of the attempt.
  ///   - pebble: Its pebble.
  ///   - limit: How long the attempt was allowed to take: so long others wait for it.
  /// - Returns: The attempt, as one that is not over before that is done; `nil` if nothing runs
  ///   inside of it.
  func close(_ slot: ContextSlot, of pebble: Int, within limit: Duration?) -> LateBody? {
    let runs = innerRuns.attemptFailed(slot, of: pebble)
    guard !runs.isEmpty else { return nil }
    let attempt = LateBody(of: pebble, after: limit, at: clock.now())
    Task(on: options.executor) { [self] in
      for error in await shutDown(runs).errors { storage.lateTeardownFailed(error, at: pebble) }
      attemptIsOver(attempt)
    }
    return attempt
  }

  /// The same, and waits for it.
  func closed(_ slot: ContextSlot?, of pebble: Int) async {
    guard let slot else { return }
    for error in await closed(slot, of: pebble).errors {
      storage.lateTeardownFailed(error, at: pebble)
    }
  }

  /// - Returns: What came of it.
  func closed(_ slot: ContextSlot, of pebble: Int) async -> [ShutdownReport] {
    await shutDown(innerRuns.attemptFailed(slot, of: pebble))
  }

  /// Shuts down what runs inside of a pebble, at its place in the shutdown of this run.
  ///
  /// - Returns: What has come of it, and whether that was all in time.
  func shutDownInnerRuns(
    of pebble: Int, within rest: @Sendable () -> Duration?
  ) async -> (reports: [ShutdownReport], areAllDown: Bool) {
    let runs = innerRuns.close(pebble)
    let reports = await shutDown(runs, within: rest)
    return (reports, runs.allSatisfy { $0.life.shutdown.fulfilled != nil })
  }

  private func shutDown(
    _ runs: [RunCore], within rest: @Sendable () -> Duration? = { nil }
  ) async -> [ShutdownReport] {
    var reports: [ShutdownReport] = []
    for run in runs {
      run.shutDown(.shutdown, within: rest())
      if let limit = rest() {
        // It may have begun before, with more time.
        _ = await waits(for: run.life.shutdown, atMost: limit)
      } else {
        await run.life.shutdown.value()
      }
      reports.append(run.shutdownSoFar)
    }
    return reports
  }
}

extension [ShutdownReport] {
  /// What was wrong with those that there are.
  var errors: [any Error] {
    compactMap { report in
      do throws(TeardownFailures) {
        try report.check()
        return nil
      } catch {
        return error
      }
    }
  }
}
