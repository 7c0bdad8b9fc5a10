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
struct InnerRuns: Sendable {
  struct Entry: Sendable {
    let run: RunCore
    let slot: ContextSlot
  }

  /// By pebble, and by number, which ascends in the order of starting.
  private var entries: [Int: [Int: Entry]] = [:]
  private var startedSoFar = 0

  /// The pebbles in which runs may still be started, once the shutdown of the run around has
  /// begun: those whose place in that is yet to come.
  private var open: Set<Int>?

  /// The pebbles that are torn down, or have been, before that.
  private var closed: Set<Int> = []

  /// In which order the run around is torn down, from when that begins on.
  var order = TeardownOrder()

  /// What has come of shutting them down in the shutdown of the run around, by pebble.
  var shutdowns: [Int: [ShutdownReport]] = [:]

  /// A run starts.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - owner: The attempt that it is started in.
  /// - Returns: Its number; `nil` if it comes too late, and is to be shut down at once.
  mutating func add(_ run: RunCore, of owner: RunOwner) -> Int? {
    // A teardown shuts down what it has started itself, however late it is.
    let isOpen =
      owner.slot.isTeardown || open?.contains(owner.pebble) ?? !closed.contains(owner.pebble)
    if !isOpen || owner.slot.hasFailed { return nil }
    startedSoFar += 1
    entries[owner.pebble, default: [:]][startedSoFar] = Entry(run: run, slot: owner.slot)
    return startedSoFar
  }

  /// Nothing is up of a run any more.
  ///
  /// - Returns: What may be the last to hold the run, which must not go under a lock.
  mutating func remove(_ number: Int, of pebble: Int) -> Entry? {
    defer { if entries[pebble]?.isEmpty == true { entries[pebble] = nil } }
    return entries[pebble]?.removeValue(forKey: number)
  }

  /// An attempt has failed, and its body has ended: what is started in it from now on comes too
  /// late.
  ///
  /// - Returns: What runs inside of it.
  mutating func attemptFailed(_ slot: ContextSlot, of pebble: Int) -> [RunCore] {
    slot.attemptFailed()
    return runs(of: pebble) { $0.slot === slot }
  }

  /// The run around is about to be torn down: what is started from now on in other pebbles than
  /// those that have a place in that comes too late.
  ///
  /// - Parameter candidates: Those with something else to tear down.
  /// - Returns: Those with a place.
  mutating func shutdownBegins(with candidates: some Sequence<Int>) -> Set<Int> {
    let pebbles = pebblesToTearDown(among: candidates)
    open = pebbles
    return pebbles
  }

  /// What there is to tear down of the run around.
  ///
  /// - Parameter candidates: Those with something else to tear down.
  /// - Returns: These, and those that something runs inside of.
  func pebblesToTearDown(among candidates: some Sequence<Int>) -> Set<Int> {
    Set(entries.keys).union(candidates)
  }

  /// The place of a pebble in the shutdown has come: what is started in it from now on comes too
  /// late.
  ///
  /// - Returns: What runs inside of it.
  mutating func close(_ pebble: Int) -> [RunCore] {
    open?.remove(pebble)
    closed.insert(pebble)
    return runs(of: pebble)
  }

  /// The run around has been torn down: what is started from now on comes too late.
  ///
  /// - Returns: What is left.
  mutating func close() -> [RunCore] {
    open = []
    return all
  }

  /// Nobody can shut the run around down any more, nor what is inside: it goes on by itself.
  ///
  /// - Returns: What holds it, which must not go under a lock.
  mutating func runAroundIsGone() -> [[Entry]] {
    defer { entries = [:] }
    return entries.values.map { Array($0.values) }
  }

  /// Whether the shutdown of the run around has begun.
  var isClosed: Bool { open != nil }

  var isEmpty: Bool { entries.isEmpty }

  /// All that runs inside of the run, by pebble.
  var all: [RunCore] { entries.keys.sorted().flatMap { runs(of: $0) } }

  /// What runs inside of a pebble, the last one first.
  func runs(of pebble: Int) -> [RunCore] { runs(of: pebble) { _ in true } }

  private func runs(of pebble: Int, where isSuch: (Entry) -> Bool) -> [RunCore] {
    (entries[pebble] ?? [:]).filter { isSuch($0.value) }.sorted { $0.key > $1.key }
      .map(\.value.run)
  }
}

/// The attempt that a run is started in.
struct RunOwner: Sendable {
  let slot: ContextSlot
  let pebble: Int

  /// That of the asking task: also of one that has outlived the body that started it.
  static var current: RunOwner? {
    guard let slot = ContextSlot.current, slot.life != nil, let pebble = slot.position else {
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
      if owner.slot.hasFailed || owner.slot.life?.read({ $0.inner.isClosed }) == true {
        return .over
      }
      next = owner.slot.life?.owner
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
    switch life.owner?.belonging ?? .nobody {
    case .nobody: return true
    case .over: return false
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
    // The run around may have been let go of with nothing up, and what is around it be over.
    guard isNew else { return belongs }
    if around.joinOwner() || owner.slot.isTeardown { return true }
    leaveOwner(evenIfUp: true)
    return false
  }

  /// The attempt that the run belongs to, as long as something of it is up.
  var ownerAround: (owner: RunOwner, around: RunCore)? {
    guard let owner = life.read({ $0.placeAtOwner?.owner }), let around = owner.slot.runAround
    else { return nil }
    return (owner, around)
  }

  /// Is let go of by the attempt that it belongs to, once nothing of it is up: a server whose
  /// requests run ponds keeps none of these.
  func leaveOwner(evenIfUp: Bool = false) {
    guard life.owner != nil, let (owner, number) = life.change({ $0.ownerLeft(evenIfUp: evenIfUp) })
    else { return }
    let entry = owner.slot.life?.change { $0.innerRunEnded(number, of: owner.pebble) }
    withExtendedLifetime(entry) {}
    owner.slot.runAround?.leaveOwner()
  }

  /// Shuts down what runs inside of an attempt that has failed, or of a teardown.
  ///
  /// - Returns: What was wrong with that.
  func closed(_ slot: ContextSlot, of pebble: Int) async -> [any Error] {
    await shutDown(life.change { $0.inner.attemptFailed(slot, of: pebble) }).errors
  }

  /// Shuts down runs inside of this one, one after the other.
  ///
  /// - Parameters:
  ///   - runs: The runs.
  ///   - deadline: Until when that may take.
  /// - Returns: What has come of it.
  func shutDown(
    _ runs: [RunCore], by deadline: RunLifecycle.ShutdownDeadline? = nil
  ) async -> [ShutdownReport] {
    var reports: [ShutdownReport] = []
    for run in runs {
      if let time = deadline?.time {
        run.shutDown(.shutdown, within: time.subtractingSaturated(clock.now()).asNanoseconds)
        // It may have begun before, with more time.
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
