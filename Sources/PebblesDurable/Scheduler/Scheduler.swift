import Pebbles

/// A run of a pond that decides when to call bodies, but leaves calling them to your program.
///
/// Use a scheduler to run bodies in other processes, on other machines or by hand, for example in a
/// durable workflow or a batch system. In a loop, your program asks the scheduler which pebbles are
/// ready, and reports to it which bodies have started and how they ended. The scheduler treats
/// conditions, limits, priorities, the failure policy and stalls in the same way as a run.
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
/// A scheduler uses no clock and no task. It calls closures of the pond only when it is created, to
/// evaluate the cases of given values. The same calls in the same order always have the same
/// results. A run can therefore be rebuilt from a log of its events, after a crash or on another
/// machine. The caller provides the times, as offsets from the start of the run. If a time is
/// earlier than a previous one, the latest time so far is used instead.
///
/// A scheduler is not `Sendable`: only one task at a time may use it, for example inside an actor.
///
/// Pebbles are identified by their zero-based positions in definition order, as in ``names``, in a
/// report, in `PondModel` and in the JSON formats.
public final class Scheduler {
  let storage: RunStorage
  private let failures: FailurePolicyWatch

  /// The unique identifier of the run. Pass it to
  /// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)``, so that bodies can read it from
  /// `PebbleContext.runIdentifier`.
  public let runIdentifier: RunIdentifier
  private var driver: ReadinessDriver

  /// The latest time that the caller has given, in nanoseconds since the start of the run.
  private(set) var now: UInt64 = 0

  /// The pebbles that may start now, in the order in which to start them. The limits of the pond
  /// allow all of them to run at the same time.
  ///
  /// These pebbles already count toward the limits. Like a running pebble, a pebble that is ready
  /// but has not been started can keep other pebbles from starting.
  public private(set) var ready: [Int] = []

  /// The pebbles that have been started and have not settled.
  public private(set) var running: Set<Int> = []

  /// The reason why the run was cancelled; `nil` if the run was not cancelled.
  public private(set) var cancellation: RunCancellation?

  /// Creates a scheduler for a run of a pond from the pond's logic, without its closures.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - cases: The cases that hold for each pebble whose output is given, keyed by the position of
  ///     the pebble.
  ///   - disabled: The pebbles that take no part in the run.
  ///   - targets: The requested pebbles; `nil` for all.
  ///   - run: The identifier of the run.
  /// - Throws: `UnknownPebbleError` if the pond does not have one of the listed pebbles;
  ///   `SchedulerError` if the failure policy is a closure, if cases are missing or cannot hold, or
  ///   if `cases` includes a pebble whose output is not given.
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
      let happening = storage.has(pebble) ? "was given, but has a body" : "was given"
      throw SchedulerError.impossible(pebble, of: storage, happening)
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

  // MARK: Events

  /// Records that the body of a pebble is about to be called.
  ///
  /// - Parameters:
  ///   - pebble: A pebble that is ``ready``.
  ///   - time: The time of the call, as an offset from the start of the run.
  /// - Throws: ``SchedulerError`` if the pebble is not ready. In that case, nothing changes.
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

  /// Records the outcome of a pebble whose body has ended and is not called again. A service has an
  /// outcome once it is ready or has failed to become ready.
  ///
  /// - Parameters:
  ///   - pebble: A pebble that is ``running``.
  ///   - succeeded: Whether the pebble has succeeded. To record an error as well, use
  ///     ``settle(_:failedWith:cases:at:)``.
  ///   - cases: The cases that hold, as in ``AttemptResult/cases``. For a pebble that has cases,
  ///     this argument is required; pass an empty list if none of the cases holds.
  ///   - time: The time of the end, as an offset from the start of the run.
  /// - Throws: ``SchedulerError`` if the pebble is not running, or if its cases are missing or
  ///   cannot hold. Cases cannot hold if the pebble does not have them, if they belong to another
  ///   outcome, if two of them stand for different values, or if a timeout is combined with another
  ///   failure case. If an error is thrown, nothing changes.
  /// - Complexity: O(atoms above the pebble and above the pebbles that are skipped because of it).
  ///   If nothing else is ready or running, and pebbles are left, O(pebbles + atoms).
  public func settle(
    _ pebble: Int, succeeded: Bool, cases: [PebbleCase]? = nil, at time: Duration
  ) throws(SchedulerError) {
    try settle(pebble, succeeded ? nil : FailedElsewhere(), cases, at: time)
  }

  /// Records that the body of a pebble has failed and is not called again.
  ///
  /// - Parameters:
  ///   - pebble: A pebble that is ``running``.
  ///   - error: The error of the body, shown in the ``report``.
  ///   - cases: The cases that hold, as in ``settle(_:succeeded:cases:at:)``.
  ///   - time: The time of the failure, as an offset from the start of the run.
  /// - Throws: ``SchedulerError``, as in ``settle(_:succeeded:cases:at:)``. If an error is thrown,
  ///   nothing changes.
  /// - Complexity: The same as ``settle(_:succeeded:cases:at:)``.
  public func settle(
    _ pebble: Int, failedWith error: any Error, cases: [PebbleCase]? = nil, at time: Duration
  ) throws(SchedulerError) {
    try settle(pebble, error, cases, at: time)
  }

  /// Cancels the run, so that nothing more starts. Running pebbles must still be settled. Pebbles
  /// that have not started are skipped as soon as nothing is running. Calls after the first have no
  /// effect.
  ///
  /// - Parameters:
  ///   - reason: The reason for the cancellation.
  ///   - time: The time of the cancellation, as an offset from the start of the run.
  /// - Complexity: O(pebbles + atoms) if nothing is running, otherwise O(1).
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
    // The skips are handled before the failure itself, as in a real run, because only the first of
    // several unhandled failures counts.
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

  /// Collects the pebbles that have become ready or have been skipped. If nothing is then running
  /// or ready, also settles the pebbles that can settle only in that state.
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

/// A placeholder for the unknown error of a body that failed elsewhere.
private struct FailedElsewhere: Error, CustomStringConvertible {
  var description: String { "it failed where it was called" }
}
