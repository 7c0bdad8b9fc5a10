/// One call of the body of one pebble, or of its teardown, for a run that is driven from elsewhere:
/// its inputs come from there, and its output goes there.
///
/// It has the parts of a run that such a call needs, timeouts, threads, what is around bodies,
/// teardowns of what comes too late, but is none: nothing is decided, and nothing follows from it.
package struct SingleCall: Sendable {
  private let core: RunCore
  private let pebble: Int
  private let options: PebbleOptions

  /// How the call of a body has ended.
  package enum End: Sendable {
    /// The body returned this, and these cases hold.
    case returned(AnyOutput?, cases: [PebbleCase])

    /// It failed with this, or could not be called: that is an ``UndecodableOutput``.
    case failed(any Error, Failure)
  }

  /// What is to be done about a failed call.
  package struct Failure: Sendable {
    /// How long to wait before the next attempt; `nil` if there is none.
    package var retryDelay: Duration?

    /// Whether the body goes on although its time is over.
    package var isStillRunning = false

    /// The cases that hold; none if there is another attempt.
    package var cases: [PebbleCase] = []
  }

  /// Prepares a call.
  ///
  /// - Parameters:
  ///   - program: The definition, without faults.
  ///   - pebble: The position of the pebble, which must not be a service.
  ///   - run: Which run it is for.
  ///   - clock: Tells when the timeout is over.
  package init(
    _ program: Program, _ pebble: Int, of run: RunIdentifier,
    _ clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.pebble = pebble
    options = program.options[UInt32(pebble)] ?? .none
    var runOptions = RunOptions()
    runOptions.purpose = .singleCall(run)
    core = RunCore(program, RunClock(clock), runOptions)
  }

  /// Takes it as given how another pebble has ended, before the body is called that reads it.
  ///
  /// - Parameters:
  ///   - outcome: How it has ended.
  ///   - input: Its position.
  ///   - decoding: Makes its output; `nil` if it has none.
  package func assume(_ outcome: Outcome, of input: Int, _ decoding: OutputDecoding?) {
    guard input != pebble else { return }
    core.storage.values.assume(outcome, of: input, decoding)
  }

  /// Calls the body.
  ///
  /// - Parameter number: Which attempt it is, from 1 on.
  /// - Returns: How that has ended.
  package func callBody(attempt number: Int) async -> End {
    let attempts = PebbleAttempts(core, pebble)
    var thread: OrderedQueue.Thread?
    if options.traits.isBlocking, core.options.executor == nil {
      thread = await attempts.waitForThread()
      if thread == nil { return .failed(CancellationError(), Failure()) }
    }
    if Task.isCancelled {
      if case .lease(let lease)? = thread { lease.end() }
      return .failed(CancellationError(), Failure())
    }
    let (result, call) = await attempts.attempt(number, with: thread)
    switch result {
    case .success(let output):
      return .returned(output, cases: core.program.cases(of: pebble, output: output))
    case .failure(let error as UndecodableOutput):
      return .failed(error, Failure())
    case .failure(let error):
      return .failed(error, await failure(error, inAttempt: number, leaving: call))
    }
  }

  /// Undoes what the body has returned, as nobody will ever see it.
  package func discard(_ output: AnyOutput) async {
    await Undoing(core, pebble).discard(output)
  }

  /// Calls the teardown, if there is one.
  ///
  /// - Parameter decoding: Makes what the body has returned; `nil` if that was nothing.
  /// - Throws: What it threw; ``UndecodableOutput`` if it could not be called.
  package func callTeardown(_ decoding: OutputDecoding?) async throws {
    guard options.teardown != nil else { return }
    try await Undoing(core, pebble).undo(decoding.map(EncodedOutput.init)).get()
  }

  /// What is to be done about a failed attempt: as in a run, the next one does not overlap it.
  private func failure(
    _ error: any Error, inAttempt number: Int, leaving call: AttemptCall?
  ) async -> Failure {
    let isOver = { call?.isOver.fulfilled != nil || call == nil }
    guard !Task.isCancelled, var schedule = options.traits.retry?.makeSchedule(),
      let delay = schedule.delay(afterFailure: number, with: error)
    else { return final(error, isStillRunning: !isOver()) }
    if let call, !(await core.isOver(call)) {
      return final(error, isStillRunning: !isOver())
    }
    return Failure(retryDelay: delay)
  }

  /// A failure after which there is no attempt.
  private func final(_ error: any Error, isStillRunning: Bool) -> Failure {
    Failure(
      isStillRunning: isStillRunning,
      cases: core.program.cases(of: pebble, error: error, in: core.identifier))
  }
}
