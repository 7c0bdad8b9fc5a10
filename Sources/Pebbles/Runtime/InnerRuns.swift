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

    /// Whether the run around has been torn down.
    var isClosed = false

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
      if state.isClosed || owner.slot.hasFailed { return nil }
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

  /// The pebbles with runs inside of them.
  var pebbles: [Int] { state.withLock { Array($0.entries.keys) } }

  /// What runs inside of a pebble.
  func runs(of pebble: Int) -> [RunCore] { state.withLock { $0.runs(of: pebble) } }

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
      state.isClosed = true
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

  /// The one that a run can be shut down with, and the run that does that: further out, where there
  /// is no other reference to the run any more that the attempt was of.
  var reachable: (owner: RunOwner, run: RunCore)? {
    var next: RunOwner? = self
    while let owner = next {
      if let run = owner.slot.runAround { return (owner, run) }
      next = owner.slot.innerRuns?.owner
    }
    return nil
  }
}

/// A run as what belongs to an attempt of another one.
extension RunCore {
  /// The run starts, or something of it comes up anew: it belongs to the attempt that it was
  /// started in.
  ///
  /// - Returns: Whether that is still possible; otherwise the run is to be shut down at once.
  func joinOwner() -> Bool {
    guard let (owner, around) = owner?.reachable else { return true }
    var isNew = false
    let belongs = placeAtOwner.withLock { place in
      if place != nil { return true }
      place = around.innerRuns.add(self, of: owner).map { (owner, $0) }
      isNew = place != nil
      return isNew
    }
    if isNew { around.innerRunStarted() }
    return belongs
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
    let left = placeAtOwner.withLock { place -> (owner: RunOwner, number: Int)? in
      guard let known = place, !life.take({ $0.isAnythingUp }) else { return nil }
      place = nil
      return known
    }
    guard let (owner, number) = left else { return }
    owner.slot.innerRuns?.remove(number, of: owner.pebble)
    owner.slot.runAround?.innerRunEnded()
  }

  private func innerRunStarted() {
    life.take { $0.innerRunStarted() }
    // It may have been let go of, with nothing up before this.
    if !joinOwner() { shutDown(.shutdown) }
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
  ///   - limit: How long the attempt was allowed to take, which that may take as well.
  /// - Returns: The attempt, as one that is not over before that is done; `nil` if nothing runs
  ///   inside of it.
  func close(_ slot: ContextSlot, of pebble: Int, within limit: Duration?) -> LateBody? {
    let runs = innerRuns.attemptFailed(slot, of: pebble)
    guard !runs.isEmpty else { return nil }
    let attempt = LateBody(of: pebble, after: limit, at: clock.now())
    Task(on: options.executor) { [self] in
      await shutDown(runs, of: pebble, within: limit)
      attemptIsOver(attempt)
    }
    return attempt
  }

  /// The same, and waits for it.
  func closed(_ slot: ContextSlot?, of pebble: Int, within limit: Duration? = nil) async {
    guard let slot else { return }
    await shutDown(innerRuns.attemptFailed(slot, of: pebble), of: pebble, within: limit)
  }

  private func shutDown(_ runs: [RunCore], of pebble: Int, within limit: Duration?) async {
    for run in runs {
      run.shutDown(.shutdown, within: limit)
      do {
        try await run.shutdownReport().check()
      } catch {
        storage.lateTeardownFailed(error, at: pebble)
      }
    }
  }

  /// Shuts down what runs inside of a pebble, at its place in the shutdown of this run.
  ///
  /// - Returns: What came of it.
  func shutDownInnerRuns(
    of pebble: Int, within rest: @Sendable () -> Duration?
  ) async -> [ShutdownReport] {
    var reports: [ShutdownReport] = []
    for run in innerRuns.runs(of: pebble) {
      run.shutDown(.shutdown, within: rest())
      reports.append(await run.shutdownReport())
    }
    return reports
  }

  /// Shuts down what was started so late that its pebble had been torn down.
  func shutDownRemainingInnerRuns(by deadline: RunLifecycle.ShutdownDeadline?) async {
    for (pebble, run) in innerRuns.close() {
      let now = clock.now()
      let rest = deadline.map { ($0.time - min($0.time, now)).asNanoseconds }
      await shutDown([run], of: pebble, within: rest)
    }
  }
}
