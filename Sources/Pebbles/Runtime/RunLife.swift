/// The state of one run, including its attempts, its services, and the runs inside it.
///
/// The type is a synchronous state machine that combines several others: a `RunLifecycle`, an
/// `Attempt` for each attempt that is not over, a `ServiceLife` for each service, and `InnerRuns`.
/// Functions that record an event have names in the past tense. They add the resulting actions to a
/// list, and `RunLifeLock` performs the actions in order.
struct RunLife: Sendable {
  /// An action to be performed outside of any lock.
  enum Action: Sendable {
    case run(RunLifecycle.Action)
    /// The result for the caller of an attempt: the result of a body that has ended, or the output
    /// of a ready service.
    case answer(AttemptCall, Result<AnyOutput?, any Error>)
    /// The error for the caller of an attempt that has timed out. The body, which may still be
    /// running, is given up.
    case giveUp(AttemptCall, any Error)
    case cancelBody(AttemptCall)
    /// The release of a thread that the body no longer needs.
    case returnThread(AttemptCall, wasReplaced: Bool)
    /// An output to undo, if there is one, and inner runs to shut down afterwards. Finally,
    /// `closed(_:)` must be called.
    case close(AttemptCall, AnyOutput??, [RunCore])
    /// The announcement that the attempt is over.
    case attemptIsOver(AttemptCall, wasLate: Bool, givesBackUses: Bool)
    /// An output that no longer belongs to an attempt and must be undone. Afterwards, `undone(_:)`
    /// must be called.
    case undo(AnyOutput?, of: Int)
    /// A record that a ready service has ended, or could not be restarted.
    case noteServiceEnd(
      AttemptCall, Result<Void, any Error>, ServiceCallEnd.Reason, isAsked: Bool)
    /// An order to hold back the pebbles that take a service's output, because the service is down.
    case holdReaders(of: Int)
    /// The output of a restarted service. It must be stored, and `latestOutputIsKept(_:)` must then
    /// be called.
    case keepLatestOutput(AttemptCall, AnyOutput?)
    /// An order to stop holding back the pebbles that take a service's output, because the service
    /// is up again.
    case letReadersStart(of: Int)
    /// A service that must stop so that it can be restarted together with another service. If the
    /// service is not ready, its body is cancelled first.
    case stopForRestart(AttemptCall, isReady: Bool)
    /// A record that a service has ended permanently without being asked to stop.
    case noteServiceDown(Int)
    /// A promise to fulfill.
    case tell(Promise<Void>)
  }

  var run: RunLifecycle
  var attempts: [Int: Attempt] = [:]
  var services: [Int: ServiceLife] = [:]
  var inner = InnerRuns()

  /// The relations between services that are restarted together.
  let families: RestartFamilies

  /// The services that have gone down or are about to be restarted.
  var downServices: Set<Int> = []

  /// The attempt to which the run belongs, and the number of the run in the attempt; `nil` if the
  /// run belongs to no attempt.
  var placeAtOwner: (owner: RunOwner, number: Int)?

  /// A promise for each pebble whose teardown has begun. The promise is fulfilled when the teardown
  /// is over.
  private(set) var teardowns: [Int: Promise<Void>] = [:]

  /// The pebbles, mostly services, that were kept from an earlier run and are still active there.
  var keptServices: Set<Int> = []

  /// The number of each pebble's unused outputs that are being undone. A shutdown waits until these
  /// outputs have been undone.
  private var undoing: [Int: Int] = [:]

  /// The time limit at which a shutdown abandoned the running bodies; `nil` if no shutdown has
  /// abandoned bodies. Bodies that start later are also abandoned.
  private var givenUpAfter: Duration?

  /// The settled pebbles that still hold their resources although their attempts are over.
  private var givingBack: Set<Int> = []

  /// A promise that is fulfilled at the next event for which other code may be waiting. For
  /// example, an attempt ends, an output has been undone, a thread is granted, or a service comes
  /// up or goes down.
  private(set) var change = Promise<Void>()

  var actions: [Action] = []

  init(_ run: RunLifecycle, _ families: RestartFamilies = RestartFamilies()) {
    self.run = run
    self.families = families
  }

  /// Removes and returns the actions to be performed, in order.
  mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  // MARK: The run

  /// Applies a transition of the run's lifecycle.
  mutating func take(_ happening: (inout RunLifecycle) -> [RunLifecycle.Action]) {
    for action in happening(&run) {
      if case .giveUpBodies(let limit) = action { giveUpAttempts(after: limit) }
      actions.append(.run(action))
    }
  }

  /// Applies a transition of the run's lifecycle that results in no actions.
  mutating func take(_ happening: (inout RunLifecycle) -> Void) {
    happening(&run)
  }

  private mutating func giveUpAttempts(after limit: Duration) {
    givenUpAfter = limit
    for (_, attempt) in attempts.sorted(by: { $0.key < $1.key }) where attempt.isGoingOn {
      giveUp(attempt.call, after: limit)
    }
  }

  private mutating func giveUp(_ call: AttemptCall, after limit: Duration) {
    let timeout = PebbleTimeout(pebble: call.name, limit: limit, .shutdown, in: call.run)
    timePassed(call, after: limit, timeout, at: run.shutdownDeadline?.endOfPatience ?? 0)
  }

  // MARK: Attempts

  /// Records that an attempt has begun.
  mutating func attemptStarted(_ call: AttemptCall) {
    precondition(attempts[call.pebble] == nil, "an attempt has begun before the last one was over")
    attempts[call.pebble] = Attempt(call)
    if let givenUpAfter { giveUp(call, after: givenUpAfter) }
  }

  /// Records that the task of an attempt has started.
  ///
  /// - Returns: Whether to call the body.
  mutating func bodyCalled(_ call: AttemptCall) -> Bool {
    let isCalled = change(call) { $0.bodyCalled(isAlwaysCalled: call.isAlwaysCalled) } ?? false
    if !isCalled {
      actions.append(.returnThread(call, wasReplaced: true))
      removeIfOver(call)
    }
    return isCalled
  }

  /// Records that an attempt has timed out.
  mutating func timePassed(
    _ call: AttemptCall, after limit: Duration, _ error: any Error, at time: UInt64
  ) {
    guard change(call, { $0.timePassed(limit: limit, at: time) }) == true else { return }
    if call.isService { startsAnew(call) }
    actions += [.giveUp(call, error), .cancelBody(call)]
    if call.isService { serviceFailed(call, error) }
  }

  /// Records that the caller of an attempt has been cancelled.
  mutating func attemptCancelled(_ call: AttemptCall) {
    change(call) { $0.cancelled() }
    actions.append(.cancelBody(call))
  }

  /// Records a service's report that it is ready. The report may come from any thread.
  mutating func serviceReady(_ call: AttemptCall, _ output: AnyOutput?, at time: UInt64) {
    switch change(call, { $0.serviceReady(output) }) ?? .tooLate {
    case .inTime:
      serviceIsReady(call, output, at: time)
      actions.append(.answer(call, .success(output)))
    case .late:
      break
    case .tooLate:
      if call.undoesOutput { outputCameLate(output, of: call.pebble) }
    }
  }

  /// Records that the body of an attempt has ended.
  mutating func bodyEnded(
    _ call: AttemptCall, _ result: Result<AnyOutput?, any Error>, at time: UInt64
  ) {
    guard let attempt = attempts[call.pebble], attempt.call === call else {
      preconditionFailure("the body of \(call.name) has ended after its attempt")
    }
    let isTooEarly = call.isService && !attempt.isReady
    let result =
      isTooEarly ? result.flatMap { _ in .failure(ServiceError.endedBeforeReady) } : result
    var runs: [RunCore] = []
    // The runs inside a body that has succeeded in time belong to its pebble from now on.
    if attempt.wasLate || result.isFailure, !attempt.isReady {
      runs = inner.attemptFailed(call.slot, of: call.pebble)
    }
    actions.append(.returnThread(call, wasReplaced: attempt.wasLate))
    let isCancelled = attempt.isCancelled && run.cancellation != nil
    if call.isService, !attempt.isReady { startsAnew(call) }
    let end = change(call) { $0.bodyEnded(result, hasRuns: !runs.isEmpty, at: time) }
    guard let (isTold, rest) = end else { return }
    if isTold {
      actions.append(.answer(call, result))
      if call.isService, let error = result.failure { serviceFailed(call, error) }
    }
    switch rest {
    case .nothing: break
    case .output(let output): close(call, .some(output), runs)
    case .runs: close(call, nil, runs)
    case .service: serviceBodyEnded(call, result.map { _ in }, isCancelled: isCancelled)
    }
    removeIfOver(call)
  }

  /// Records that a body awaited inline by a runner has failed, or has ended after being abandoned.
  /// Shuts down any runs that the body has started.
  mutating func bodyFailed(_ call: AttemptCall) {
    let runs = inner.attemptFailed(call.slot, of: call.pebble)
    guard !runs.isEmpty else { return }
    attempts[call.pebble] = Attempt(closing: call)
    close(call, nil, runs)
  }

  mutating func close(_ call: AttemptCall, _ output: AnyOutput??, _ runs: [RunCore]) {
    if output != nil { undoingBegan(call.pebble) }
    actions.append(.close(call, output, runs))
  }

  /// Records that everything left behind by a body has been undone or shut down.
  mutating func closed(_ call: AttemptCall) {
    change(call) { $0.closed() }
    removeIfOver(call)
  }

  /// Records that a pebble has settled.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - mayKeepUses: Whether the pebble has failed and uses limited resources.
  /// - Returns: Whether the pebble keeps its resources until its attempt is over.
  mutating func pebbleSettled(_ pebble: Int, mayKeepUses: Bool) -> Bool {
    if let (call, result) = services[pebble]?.pebbleSettled() {
      let isCancelled = attempts[pebble]?.isCancelled == true && run.cancellation != nil
      serviceBodyEnded(call, result, isCancelled: isCancelled)
    }
    if services[pebble] != nil { familyChanged() }
    return mayKeepUses ? attempts[pebble]?.pebbleSettled() ?? false : false
  }

  /// Returns whether a settled pebble still holds its resources.
  func keepsUses(_ pebble: Int) -> Bool {
    attempts[pebble]?.isHolder == true || givingBack.contains(pebble)
  }

  /// The settled pebbles that still hold their resources, and the time until which the run waits
  /// for each pebble to release them.
  var holders: [(pebble: Int, lastMoment: UInt64)] {
    attempts.filter(\.value.isHolder).map { ($0.key, $0.value.lastMoment) }
      + givingBack.map { ($0, .max) }
  }

  /// Returns the time when other code stops waiting for an attempt to be over; `nil` if the attempt
  /// is already over.
  func lastMoment(of call: AttemptCall) -> UInt64? {
    guard let attempt = attempts[call.pebble], attempt.call === call else { return nil }
    return attempt.lastMoment
  }

  /// Returns whether an attempt is still in progress. After the body of a ready service has ended,
  /// the attempt is in progress only while everything that the body left behind is being closed.
  func goesOn(_ call: AttemptCall) -> Bool {
    guard let attempt = attempts[call.pebble], attempt.call === call else { return false }
    return !attempt.hasBodyEnded
  }

  @discardableResult
  mutating func change<Result>(
    _ call: AttemptCall, _ happening: (inout Attempt) -> Result
  ) -> Result? {
    guard attempts[call.pebble]?.call === call, var attempt = attempts[call.pebble] else {
      return nil
    }
    defer { attempts[call.pebble] = attempt }
    return happening(&attempt)
  }

  private mutating func removeIfOver(_ call: AttemptCall) {
    guard let attempt = attempts[call.pebble], attempt.call === call, attempt.isOver else { return }
    attempts[call.pebble] = nil
    if call.isService { familyChanged() }
    if attempt.isHolder { givingBack.insert(call.pebble) }
    actions.append(
      .attemptIsOver(call, wasLate: attempt.wasLate, givesBackUses: attempt.isHolder))
  }

  /// Records that a pebble has released its resources after the end of its attempt.
  mutating func usesGivenBack(_ pebble: Int) {
    givingBack.remove(pebble)
    changed()
  }

  /// Wakes everything that waits for the next change.
  mutating func changed() {
    actions.append(.tell(change))
    change = Promise()
  }

  // MARK: Tearing down

  /// Records that the teardown of a pebble is about to begin.
  ///
  /// - Returns: If the teardown has already begun, a promise that is fulfilled when the teardown is
  ///   over; otherwise `nil`.
  mutating func teardownBegan(of pebble: Int) -> Promise<Void>? {
    if let known = teardowns[pebble] { return known }
    teardowns[pebble] = Promise()
    return nil
  }

  /// Records that a pebble was torn down in an earlier process.
  mutating func wasTornDown(_ pebble: Int) {
    let isOver = Promise<Void>()
    isOver.fulfill(())
    teardowns[pebble] = isOver
  }

  /// Whether the run is being torn down, or has been torn down.
  var hasTeardownBegun: Bool {
    switch run.phase {
    case .booting, .atRest, .ending, .up: false
    case .stopping, .ended: true
    }
  }

  // MARK: Outputs that nothing waits for

  /// Begins to undo an output that came too late to be used by its pebble.
  mutating func outputCameLate(_ output: AnyOutput?, of pebble: Int) {
    undoingBegan(pebble)
    actions.append(.undo(output, of: pebble))
  }

  mutating func undoingBegan(_ pebble: Int) {
    undoing[pebble, default: 0] += 1
  }

  mutating func undone(_ pebble: Int) {
    let rest = undoing[pebble, default: 1] - 1
    undoing[pebble] = rest > 0 ? rest : nil
    changed()
  }

  /// The pebbles whose outputs are being undone, in ascending order.
  var undonePebbles: [Int] { undoing.keys.sorted() }
}

extension Attempt {
  var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  var hasBodyEnded: Bool {
    if case .bodyEnded = phase { true } else { false }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }

  var isFailure: Bool { failure != nil }
}
