import Pebbles

/// One run of a pond whose bodies are called elsewhere: the engine without the runtime.
///
/// For whoever runs bodies in other processes, on other machines or by hand: a durable workflow, a
/// batch system, a loop of one's own. That loop says what has started and how it ended; the
/// scheduler says what is ready, by the same conditions, limits, priorities, failure policy and
/// stalls as a run.
///
/// ```swift
/// let scheduler = try Scheduler(pond)
/// while let pebble = scheduler.ready.first {
///   try scheduler.start(pebble, at: clock.now - start)
///   let hasSucceeded = try await call(scheduler.names[pebble])
///   try scheduler.settle(pebble, succeeded: hasSucceeded, at: clock.now - start)
/// }
/// print(scheduler.report ?? "something is still running")
/// ```
///
/// It has no clock, no task and no closure of the pond's: the same calls in the same order always
/// give the same answers. So a run can be rebuilt from a log of what happened, after a crash or on
/// another machine. Times are offsets from the start of the run, of the caller's making; one before
/// the last that was given counts as that.
///
/// It is not `Sendable`: one task at a time tells it things, as in an actor.
///
/// Pebbles are known by their positions in definition order, from 0: those of ``names``, of a
/// report, of `PondModel` and of the JSON formats.
public final class Scheduler {
  let storage: RunStorage
  private let failures: FailurePolicyWatch

  /// Tells runs apart: what bodies find in `PebbleContext.runIdentifier` that are called for this
  /// one with ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)``.
  public let runIdentifier: RunIdentifier
  private var driver: ReadinessDriver

  /// The latest time that was given, in nanoseconds since the start of the run.
  private(set) var now: UInt64 = 0

  /// The pebbles that may start now, in the order in which they should: as many as the limits of
  /// the pond let start together.
  ///
  /// They have their share of the limits from now on. A pebble that is not started keeps others
  /// from starting, as one that runs does.
  public private(set) var ready: [Int] = []

  /// The pebbles that were started and have not settled.
  public private(set) var running: Set<Int> = []

  /// Why the run was cancelled; `nil` if it was not.
  public private(set) var cancellation: RunCancellation?

  /// Begins a run of a pond of which no closures are known.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - cases: Which cases hold of what the run is given, by pebble.
  ///   - disabled: The pebbles that take no part.
  ///   - targets: What the run is of.
  ///   - run: Which run it is.
  /// - Throws: `UnknownPebbleError` and `SchedulerError`, as for a pond; the latter also for cases
  ///   that are not said, cannot hold, or are of a pebble that is not given.
  init(
    _ pond: PondLogic, given cases: [Int: [PebbleCase]],
    disabling disabled: [any PebbleIdentifying], only targets: [any PebbleIdentifying]?,
    for run: RunIdentifier
  ) throws {
    guard let policy = FailurePolicy(named: pond.properties.failurePolicy) else {
      throw SchedulerError.customPolicy(of: pond)
    }
    let subset = try pond.subset(only: targets)
    var positions = PebblePositions(pond.graph)
    let disabled = try positions.positions(of: disabled)
    let storage = RunStorage(pond, of: subset)
    var known = pond.knownOutcomes(disabled: disabled, in: subset) { _ in CaseSet() }
    known.succeeded = try known.succeeded.map { success throws(SchedulerError) in
      let pebble = Int(success.pebble)
      return KnownOutcomes.Success(
        pebble, try storage.places(of: cases[pebble], of: pebble, succeeded: true, "was given"))
    }
    for pebble in cases.keys.sorted() where !storage.isGiven(pebble) {
      throw SchedulerError.impossible(pebble, of: storage, "was given, but has a body")
    }
    runIdentifier = run
    self.storage = storage
    failures = FailurePolicyWatch(policy)
    driver = ReadinessDriver(
      storage.state, pond.admission(), knowing: known, listsSkipped: failures.isActive)
    followUp()
  }

  /// The names of the pebbles, in definition order.
  ///
  /// - Complexity: O(pebbles) the first time, then O(1).
  public private(set) lazy var names = Array(storage.pond.graph.names)

  /// Whether every pebble has an outcome.
  public var isFinished: Bool { driver.isFinished }

  // MARK: What happens

  /// The body of a pebble is about to be called.
  ///
  /// - Parameters:
  ///   - pebble: One of those that are ``ready``.
  ///   - time: When, as an offset from the start of the run.
  /// - Throws: ``SchedulerError`` if it is not ready. Nothing has changed then.
  /// - Complexity: O(``ready``).
  public func start(_ pebble: Int, at time: Duration) throws(SchedulerError) {
    guard let place = ready.firstIndex(of: pebble) else {
      throw .impossible(pebble, of: storage, "was started", lacks: "is not ready")
    }
    advance(to: time)
    ready.remove(at: place)
    running.insert(pebble)
    driver.start(pebble, at: now)
  }

  /// The body of a pebble has ended for good, or a service is ready or has failed to be.
  ///
  /// - Parameters:
  ///   - pebble: One of those that are ``running``.
  ///   - succeeded: Whether it has succeeded. ``settle(_:failedWith:cases:at:)`` also says with
  ///     what not.
  ///   - cases: Which of its cases hold, as ``AttemptResult/cases`` says. It must be said of a
  ///     pebble that has any, with an empty list if none holds.
  ///   - time: When, as an offset from the start of the run.
  /// - Throws: ``SchedulerError`` if it is not running, and for cases that are not said, or cannot
  ///   hold: others than it has, those of another outcome, two values. Nothing has changed then.
  /// - Complexity: O(atoms above it and above what is skipped because of it).
  public func settle(
    _ pebble: Int, succeeded: Bool, cases: [PebbleCase]? = nil, at time: Duration
  ) throws(SchedulerError) {
    try settle(pebble, succeeded ? nil : FailedElsewhere(), cases, at: time)
  }

  /// The body of a pebble has failed for good.
  ///
  /// - Parameters:
  ///   - pebble: One of those that are ``running``.
  ///   - error: What it failed with, for the ``report``.
  ///   - cases: Which of its cases hold, as in ``settle(_:succeeded:cases:at:)``.
  ///   - time: When, as an offset from the start of the run.
  /// - Throws: ``SchedulerError`` as ``settle(_:succeeded:cases:at:)`` does. Nothing has changed
  ///   then.
  /// - Complexity: O(atoms above it and above what is skipped because of it).
  public func settle(
    _ pebble: Int, failedWith error: any Error, cases: [PebbleCase]? = nil, at time: Duration
  ) throws(SchedulerError) {
    try settle(pebble, error, cases, at: time)
  }

  /// Starts nothing more. What runs goes on until it is settled; what has not started is skipped as
  /// soon as nothing runs. Calls after the first do nothing.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - time: When, as an offset from the start of the run.
  /// - Complexity: O(pebbles) if nothing runs, else O(1).
  public func cancel(_ reason: RunCancellation = .requested, at time: Duration) {
    guard cancellation == nil, !isFinished else { return }
    advance(to: time)
    cancel(reason)
    followUp()
  }

  private func settle(
    _ pebble: Int, _ error: (any Error)?, _ cases: [PebbleCase]?, at time: Duration
  ) throws(SchedulerError) {
    guard running.contains(pebble) else {
      throw .impossible(pebble, of: storage, "was settled", lacks: "has not started")
    }
    let held = try storage.places(
      of: cases, of: pebble, succeeded: error == nil, "was settled")
    running.remove(pebble)
    advance(to: time)
    if let error {
      storage.bodyFailed(with: error, at: pebble)
      if cancellation != nil { storage.bodyWasCancelled(at: pebble) }
    }
    driver.end(pebble, succeeded: error == nil, cases: held, at: now)
    // Before it is asked for itself, as in a real run: of the failures that it leaves unhandled,
    // the first counts.
    noteSkipped()
    if error != nil, failures.isActive, failures.pebbleFailed(pebble, storage) {
      cancel(.failure(of: storage.pond.graph.names[pebble]))
    }
    followUp()
  }

  private func advance(to time: Duration) {
    now = max(now, time.nanoseconds)
  }

  private func cancel(_ reason: RunCancellation) {
    guard cancellation == nil else { return }
    cancellation = reason
    driver.cancel()
    ready = []
  }

  /// Takes note of what was decided; and settles what only rest decides, once nothing runs.
  private func followUp() {
    takeNote()
    while running.isEmpty, ready.isEmpty, !isFinished {
      driver.settleAtRest(storage.pond.operands, at: now)
      takeNote()
    }
  }

  private func takeNote() {
    noteSkipped()
    while let pebble = driver.takeReady() { ready.append(pebble) }
  }

  private func noteSkipped() {
    if failures.isActive, let failed = failures.pebblesSkipped(driver.takeSkipped(), storage) {
      cancel(.failure(of: storage.pond.graph.names[failed]))
    }
  }
}

/// A body has failed elsewhere, and nothing is known of the error.
private struct FailedElsewhere: Error, CustomStringConvertible {
  var description: String { "it failed where it was called" }
}
