/// What has happened to one run, to its attempts, its services and the runs inside of it, and what
/// is to be done about it.
///
/// One synchronous machine made of several: `RunLifecycle`, an `Attempt` for each that is going on,
/// a `ServiceLife` for each service, and `InnerRuns`. What has happened comes in, in the past
/// tense; what is to be done is added to a list, which `RunLifeLock` has performed in that order.
struct RunLife: Sendable {
  /// What is left to do, outside of any lock.
  enum Action: Sendable {
    case run(RunLifecycle.Action)
    /// Tell the one that waits for an attempt how it has ended, or that its service is ready.
    case answer(AttemptCall, Result<AnyOutput?, any Error>)
    /// The same, where the time of the attempt is over and its body may go on.
    case giveUp(AttemptCall, any Error)
    case cancelBody(AttemptCall)
    /// The body no longer needs its thread.
    case returnThread(AttemptCall, wasReplaced: Bool)
    /// Undo an output, if there is one, then shut down these runs, and say that it is `closed`.
    case close(AttemptCall, AnyOutput??, [RunCore])
    /// The attempt is over.
    case attemptIsOver(AttemptCall, wasLate: Bool, givesBackUses: Bool)
    /// Undo an output that nobody waits for, and say that it is `undone`.
    case undo(AnyOutput?, of: Int)
    /// A service that was ready has ended, or could not be restarted.
    case noteServiceEnd(
      AttemptCall, Result<Void, any Error>, ServiceCallEnd.Reason, isAsked: Bool)
    /// A service is down: what takes its output does not start.
    case holdReaders(of: Int)
    /// Keep what a service has handed over that was called again, and say that it is `kept`.
    case keepLatestOutput(AttemptCall, AnyOutput?)
    /// What takes the output of a service may start again.
    case letReadersStart(of: Int)
    /// Have a service stop that restarts with another one; it is cancelled if it is not ready.
    case stopForRestart(AttemptCall, isReady: Bool)
    /// A service has ended for good without having been asked to.
    case noteServiceDown(Int)
    /// Tell those who wait for this.
    case tell(Promise<Void>)
  }

  var run: RunLifecycle
  var attempts: [Int: Attempt] = [:]
  var services: [Int: ServiceLife] = [:]
  var inner = InnerRuns()

  /// Which services are called again with which others.
  let families: RestartFamilies

  /// The services that have been up and are not, or are about to be called again.
  var downServices: Set<Int> = []

  /// The attempt that the run belongs to, as long as something of it is up, and its number there.
  var placeAtOwner: (owner: RunOwner, number: Int)?

  /// The pebbles that are torn down, or have been, each with what is told at the end of that.
  private(set) var teardowns: [Int: Promise<Void>] = [:]

  /// The services that go on in an earlier run, and have been kept from there.
  var keptServices: Set<Int> = []

  /// How many outputs are being undone that nobody waits for, of each pebble.
  private var undoing: [Int: Int] = [:]

  /// After what time a shutdown has given up the bodies that were running, and gives up all others.
  private var givenUpAfter: Duration?

  /// The settled pebbles whose attempts are over, and that have yet to give back what they used.
  private var givingBack: Set<Int> = []

  /// Given when an attempt is over that others may wait for, an output is undone, a thread has
  /// come, or a service of a family has come up or gone down.
  private(set) var change = Promise<Void>()

  var actions: [Action] = []

  init(_ run: RunLifecycle, _ families: RestartFamilies = RestartFamilies()) {
    self.run = run
    self.families = families
  }

  /// What is to be done, in this order.
  mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  // MARK: The run

  /// Something has happened to the run as a whole.
  mutating func take(_ happening: (inout RunLifecycle) -> [RunLifecycle.Action]) {
    for action in happening(&run) {
      if case .giveUpBodies(let limit) = action { giveUpAttempts(after: limit) }
      actions.append(.run(action))
    }
  }

  /// The same, with nothing to be done about it.
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

  /// An attempt has begun.
  mutating func attemptStarted(_ call: AttemptCall) {
    precondition(attempts[call.pebble] == nil, "an attempt has begun before the last one was over")
    attempts[call.pebble] = Attempt(call)
    if let givenUpAfter { giveUp(call, after: givenUpAfter) }
  }

  /// The task of an attempt has its turn.
  ///
  /// - Returns: Whether its body is to be called.
  mutating func bodyCalled(_ call: AttemptCall) -> Bool {
    let isCalled = change(call) { $0.bodyCalled(isAlwaysCalled: call.isAlwaysCalled) } ?? false
    if !isCalled {
      actions.append(.returnThread(call, wasReplaced: true))
      removeIfOver(call)
    }
    return isCalled
  }

  /// The time of an attempt is over.
  mutating func timePassed(
    _ call: AttemptCall, after limit: Duration, _ error: any Error, at time: UInt64
  ) {
    guard change(call, { $0.timePassed(limit: limit, at: time) }) == true else { return }
    if call.isService { startsAnew(call) }
    actions += [.giveUp(call, error), .cancelBody(call)]
    if call.isService { serviceFailed(call, error) }
  }

  /// The one that waits for an attempt has been cancelled.
  mutating func attemptCancelled(_ call: AttemptCall) {
    change(call) { $0.cancelled() }
    actions.append(.cancelBody(call))
  }

  /// A service says that it is ready, from whatever thread.
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

  /// The body of an attempt has ended.
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
    // Those of a body that has succeeded in time belong to its pebble from now on.
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

  /// A body has failed that was awaited in place, where it may have started runs.
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

  /// What a body has left is undone and shut down.
  mutating func closed(_ call: AttemptCall) {
    change(call) { $0.closed() }
    removeIfOver(call)
  }

  /// A pebble has settled.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - mayKeepUses: Whether it has failed, and uses something.
  /// - Returns: Whether it keeps what it uses until its attempt is over.
  mutating func pebbleSettled(_ pebble: Int, mayKeepUses: Bool) -> Bool {
    if let (call, result) = services[pebble]?.pebbleSettled() {
      let isCancelled = attempts[pebble]?.isCancelled == true && run.cancellation != nil
      serviceBodyEnded(call, result, isCancelled: isCancelled)
    }
    if services[pebble] != nil { familyChanged() }
    return mayKeepUses ? attempts[pebble]?.pebbleSettled() ?? false : false
  }

  /// Whether the attempt of a settled pebble keeps what it uses.
  func keepsUses(_ pebble: Int) -> Bool {
    attempts[pebble]?.isHolder == true || givingBack.contains(pebble)
  }

  /// The settled pebbles whose attempts keep what they use, and until when the run waits for them.
  var holders: [(pebble: Int, lastMoment: UInt64)] {
    attempts.filter(\.value.isHolder).map { ($0.key, $0.value.lastMoment) }
      + givingBack.map { ($0, .max) }
  }

  /// Until when others wait for an attempt; `nil` if it is over.
  func lastMoment(of call: AttemptCall) -> UInt64? {
    guard let attempt = attempts[call.pebble], attempt.call === call else { return nil }
    return attempt.lastMoment
  }

  /// Whether something of an attempt goes on. What a service has left that was asked to stop does
  /// not: the shutdown closes it.
  func goesOn(_ call: AttemptCall) -> Bool {
    guard let attempt = attempts[call.pebble], attempt.call === call else { return false }
    return !attempt.isLeft
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

  /// What a pebble used is given back, after its attempt was over.
  mutating func usesGivenBack(_ pebble: Int) {
    givingBack.remove(pebble)
    changed()
  }

  /// Something has come to pass that pebbles at rest may wait for.
  mutating func changed() {
    actions.append(.tell(change))
    change = Promise()
  }

  // MARK: Tearing down

  /// A pebble is about to be torn down.
  ///
  /// - Returns: What is told once that is done, if it has begun before; otherwise `nil`.
  mutating func teardownBegan(of pebble: Int) -> Promise<Void>? {
    if let known = teardowns[pebble] { return known }
    teardowns[pebble] = Promise()
    return nil
  }

  /// A pebble has been torn down in an earlier process.
  mutating func wasTornDown(_ pebble: Int) {
    let isOver = Promise<Void>()
    isOver.fulfill(())
    teardowns[pebble] = isOver
  }

  /// Whether the run is being torn down, or has been.
  var isTornDown: Bool {
    switch run.phase {
    case .booting, .atRest, .ending, .up: false
    case .stopping, .ended: true
    }
  }

  // MARK: Outputs that nobody waits for

  /// An output came to be that its pebble has no use for.
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

  /// Whose outputs are being undone, ascending.
  var undonePebbles: [Int] { undoing.keys.sorted() }
}

extension Attempt {
  var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  var isLeft: Bool {
    if case .left = phase { true } else { false }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }

  var isFailure: Bool { failure != nil }
}
