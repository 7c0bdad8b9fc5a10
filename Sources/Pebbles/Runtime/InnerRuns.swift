/// The runs that were started inside one run, each with the attempt to which it belongs.
///
/// A run belongs to the attempt that started it until the run has ended and has nothing left to
/// shut down. It may be a run of another pond. The following rules determine when it is shut down:
///
/// - Usually, the run is shut down together with the enclosing run, when the pebble of the attempt
///   is torn down. If the pebble is a service, the run is shut down after the service has ended.
/// - If the attempt fails or is abandoned, the run is shut down as soon as the body has ended,
///   before any further call to the body.
/// - If the attempt no longer accepts runs when the run starts, the run is shut down immediately.
///
/// The runs of one attempt are shut down in reverse order: the run that started last is shut down
/// first.
///
/// Cancelling a body also cancels the inner run that the body awaits, just as cancelling any caller
/// of `Pond.run` cancels the run.
struct InnerRuns: Sendable {
  struct Entry: Sendable {
    let run: RunCore
    let slot: ContextSlot
  }

  /// The entries, keyed by pebble and then by number. Runs are numbered in the order in which they
  /// start.
  private var entries: [Int: [Int: Entry]] = [:]
  private var startedSoFar = 0

  /// The pebbles that still accept runs during the shutdown of the enclosing run; `nil` before the
  /// shutdown. A pebble accepts runs until its own teardown has stopped it, if it is a service, and
  /// has undone its output.
  private var open: Set<Int>?

  /// The pebbles whose own teardown is over. No more runs can start inside them, even if the
  /// enclosing run has not been shut down yet.
  private var closed: Set<Int> = []

  /// The order of the latest teardown of the enclosing run; empty until a teardown begins. If a run
  /// resumes the enclosing run, the order omits the pebbles that the resuming run keeps.
  var order = TeardownOrder()

  /// The shutdown reports of the runs that were shut down with the enclosing run, keyed by the
  /// pebbles that contain these runs.
  var shutdowns: [Int: [ShutdownReport]] = [:]

  /// Adds a run that is about to start.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - owner: The attempt that starts it.
  /// - Returns: The number of the run; `nil` if the attempt accepts no more runs. In that case, the
  ///   run must be shut down immediately.
  mutating func add(_ run: RunCore, of owner: RunOwner) -> Int? {
    // A teardown itself shuts down every run that it has started, no matter when.
    let isOpen =
      owner.slot.isTeardown || open?.contains(owner.pebble) ?? !closed.contains(owner.pebble)
    if !isOpen || owner.slot.hasFailed { return nil }
    startedSoFar += 1
    entries[owner.pebble, default: [:]][startedSoFar] = Entry(run: run, slot: owner.slot)
    return startedSoFar
  }

  /// Removes a run from the attempt to which it belongs.
  ///
  /// - Returns: The removed entry. It may hold the last reference to the run, so it must not be
  ///   released under a lock.
  mutating func remove(_ number: Int, of pebble: Int) -> Entry? {
    defer { if entries[pebble]?.isEmpty == true { entries[pebble] = nil } }
    return entries[pebble]?.removeValue(forKey: number)
  }

  /// Records that an attempt has failed and its body has ended. From now on, the attempt accepts no
  /// more runs.
  ///
  /// - Returns: The runs inside the attempt.
  mutating func attemptFailed(_ slot: ContextSlot, of pebble: Int) -> [RunCore] {
    slot.attemptFailed()
    return runs(of: pebble) { $0.slot === slot }
  }

  /// Records that the enclosing run is about to be torn down. From now on, runs may be started only
  /// inside pebbles that are part of the teardown.
  ///
  /// - Parameter candidates: The pebbles that must be torn down even if they contain no runs.
  /// - Returns: The pebbles that are part of the teardown.
  mutating func shutdownBegins(with candidates: some Sequence<Int>) -> Set<Int> {
    let pebbles = pebblesToTearDown(among: candidates)
    open = pebbles
    return pebbles
  }

  /// Returns the pebbles that are part of the teardown of the enclosing run.
  ///
  /// - Parameter candidates: The pebbles that must be torn down even if they contain no runs.
  /// - Returns: The candidates, and the pebbles that contain runs.
  func pebblesToTearDown(among candidates: some Sequence<Int>) -> Set<Int> {
    Set(entries.keys).union(candidates)
  }

  /// Closes a pebble whose own teardown is over. From now on, its body may not start any runs.
  ///
  /// - Returns: The runs inside the pebble.
  mutating func close(_ pebble: Int) -> [RunCore] {
    open?.remove(pebble)
    closed.insert(pebble)
    return runs(of: pebble)
  }

  /// Closes all pebbles after the enclosing run has been torn down. From now on, no body may start
  /// a run.
  ///
  /// - Returns: The runs that must still be shut down.
  mutating func close() -> [RunCore] {
    open = []
    return all
  }

  /// Releases all runs, because the enclosing run no longer exists and cannot shut them down. From
  /// now on, the runs are independent.
  ///
  /// - Returns: The entries, which must not be released under a lock.
  mutating func releaseAll() -> [[Entry]] {
    defer { entries = [:] }
    return entries.values.map { Array($0.values) }
  }

  /// Whether the shutdown of the enclosing run has begun.
  var isClosed: Bool { open != nil }

  var isEmpty: Bool { entries.isEmpty }

  /// All runs inside the enclosing run, ordered by pebble.
  var all: [RunCore] { entries.keys.sorted().flatMap { runs(of: $0) } }

  /// Returns the runs inside a pebble, the latest first.
  func runs(of pebble: Int) -> [RunCore] { runs(of: pebble) { _ in true } }

  private func runs(of pebble: Int, where predicate: (Entry) -> Bool) -> [RunCore] {
    (entries[pebble] ?? [:]).filter { predicate($0.value) }.sorted { $0.key > $1.key }
      .map(\.value.run)
  }
}

/// The attempt in which a run is started.
struct RunOwner: Sendable {
  let slot: ContextSlot
  let pebble: Int

  /// The attempt of the current task, even if the attempt's body has already ended; `nil` outside
  /// of runs, and in a run that is driven elsewhere.
  static var current: RunOwner? {
    guard let slot = ContextSlot.current, slot.life != nil, let pebble = slot.position else {
      return nil
    }
    return RunOwner(slot: slot, pebble: pebble)
  }

  /// The owner of a run started in an attempt, or the reason why the run has no owner.
  enum Belonging {
    case attempt(RunOwner, RunCore)
    /// No owner, because nothing can shut down the enclosing run any more.
    case noOwner
    /// No owner, because the attempt accepts no more runs.
    case closed
  }

  /// The owner of a run started in this attempt, or the reason why such a run has no owner. The
  /// owner is this attempt or, if its run has been released, the nearest enclosing attempt whose
  /// run still exists.
  var belonging: Belonging {
    var next: RunOwner? = self
    while let owner = next {
      if let run = owner.slot.enclosingRun { return .attempt(owner, run) }
      if owner.slot.hasFailed || owner.slot.life?.read({ $0.inner.isClosed }) == true {
        return .closed
      }
      next = owner.slot.life?.owner
    }
    return .noOwner
  }
}

/// Functions for runs that belong to an attempt of another run.
extension RunCore {
  /// Adds this run to the attempt that started it, unless the run has already been added. This
  /// method is called when this run starts, and when another run starts inside it.
  ///
  /// - Returns: `true`, unless the attempt accepts no more runs. In that case, this run must be
  ///   shut down immediately.
  func joinOwner() -> Bool {
    let (owner, around): (RunOwner, RunCore)
    switch life.owner?.belonging ?? .noOwner {
    case .noOwner: return true
    case .closed: return false
    case .attempt(let found, let run): (owner, around) = (found, run)
    }
    var isNew = false
    let belongs = life.change { own in
      if own.placeAtOwner != nil { return true }
      own.placeAtOwner = around.life.change { $0.innerRunStarted(self, in: owner) }
        .map { (owner, $0) }
      isNew = own.placeAtOwner != nil
      return isNew
    }
    // The enclosing run may have left its own attempt while it had nothing to shut down, so it
    // joins again. That fails if the run around it is over.
    guard isNew else { return belongs }
    if around.joinOwner() || owner.slot.isTeardown { return true }
    leaveOwner(evenIfUp: true)
    return false
  }

  /// The body that contains this run; `nil` if there is no such body. Until this run has ended,
  /// this is the body in which the run was started. Afterwards, it is the body of the attempt to
  /// which the run still belongs.
  var parent: EnclosingBody? {
    held.withLock { $0.parent } ?? ownerAround.map { EnclosingBody($0.owner, of: $0.around) }
  }

  /// The attempt to which this run belongs, and the attempt's run; `nil` if this run is detached,
  /// was not started in an attempt, or has nothing left to shut down, or if the attempt's run has
  /// been released.
  var ownerAround: (owner: RunOwner, around: RunCore)? {
    guard let owner = life.read({ $0.placeAtOwner?.owner }), let around = owner.slot.enclosingRun
    else { return nil }
    return (owner, around)
  }

  /// Removes the run from the attempt to which it belongs, unless the run still has something to
  /// shut down. Then removes the enclosing run from its attempt in the same way. Without this
  /// removal, a server that runs a pond for each request would accumulate runs.
  ///
  /// - Parameter evenIfUp: Whether to remove the run even if it still has something to shut down.
  func leaveOwner(evenIfUp: Bool = false) {
    guard life.owner != nil, let (owner, number) = life.change({ $0.ownerLeft(evenIfUp: evenIfUp) })
    else { return }
    let entry = owner.slot.life?.change { $0.innerRunEnded(number, of: owner.pebble) }
    withExtendedLifetime(entry) {}
    owner.slot.enclosingRun?.leaveOwner()
  }

  /// Shuts down the runs inside a failed attempt or a teardown.
  ///
  /// - Returns: The errors of the failed shutdowns.
  func closed(_ slot: ContextSlot, of pebble: Int) async -> [any Error] {
    await shutDown(life.change { $0.inner.attemptFailed(slot, of: pebble) }).errors
  }

  /// Shuts down some of the runs inside this run, one after the other.
  ///
  /// - Parameters:
  ///   - runs: The runs.
  ///   - deadline: The time by which all of them must be shut down.
  /// - Returns: The shutdown reports.
  func shutDown(
    _ runs: [RunCore], by deadline: RunLifecycle.ShutdownDeadline? = nil
  ) async -> [ShutdownReport] {
    var reports: [ShutdownReport] = []
    for run in runs {
      if let time = deadline?.time {
        run.shutDown(.shutdown, within: time.subtractingSaturated(clock.now()).asNanoseconds)
        // The shutdown may have begun earlier, with a later deadline.
        _ = await waits(for: run.life.shutdown, until: time)
      } else {
        run.shutDown(.shutdown)
        await run.life.shutdown.value()
      }
      reports.append(run.shutdownSoFar)
    }
    return reports
  }
}

extension [ShutdownReport] {
  /// The errors of the failed shutdowns.
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
