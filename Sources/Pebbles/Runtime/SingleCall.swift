/// One call to a pebble's body or teardown, for a run that is driven elsewhere. Other code decides
/// when the run's pebbles start. The caller provides the inputs and receives the output.
///
/// The call supports those features of a run that a single body needs: timeouts, threads, layers
/// around bodies, and teardowns of late outputs. It is not a run itself, because it evaluates no
/// conditions and calls no other bodies.
package struct SingleCall: Sendable {
  private let core: RunCore
  private let pebble: Int
  private let options: PebbleOptions

  /// The result of calling the body, or of trying to.
  package enum End: Sendable {
    /// The output that the body returned, and the cases that hold.
    case returned(AnyOutput?, cases: [PebbleCase])

    /// The error of the failed call, and the consequences. The error was thrown by the body, or is
    /// a ``PebbleTimeout`` if the body did not end in time. If the body was not called, the error
    /// is an ``UndecodableOutput``, a ``BlockingThreadShortage`` or a `CancellationError`.
    case failed(any Error, Failure)
  }

  /// The consequences of a failed call.
  package struct Failure: Sendable {
    /// The time to wait before the next attempt; `nil` if there is no next attempt.
    package var retryDelay: Duration?

    /// Whether the body is still running although it has timed out.
    package var isStillRunning = false

    /// The cases that hold; empty if another attempt follows.
    package var cases: [PebbleCase] = []
  }

  /// Creates a call to a pebble's body or teardown. The call is not made yet.
  ///
  /// - Parameters:
  ///   - program: The program, which must have no faults.
  ///   - pebble: The position of the pebble, which must not be a service.
  ///   - run: The identifier of the run that is driven elsewhere.
  ///   - originalName: The name of the pebble in that run; `nil` if it has not been renamed.
  ///   - clock: The clock for timeouts.
  package init(
    _ program: Program, _ pebble: Int, of run: RunIdentifier, originalName: String? = nil,
    _ clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.pebble = pebble
    options = program.options[UInt32(pebble)] ?? .none
    var runOptions = RunOptions()
    runOptions.purpose = .singleCall(run, originalName: originalName)
    core = RunCore(program, RunClock(clock), runOptions)
  }

  /// Sets the outcome of another pebble. If the body reads this outcome, call this method before
  /// `callBody(attempt:)`. Does nothing if `input` is the pebble of this call.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - input: The position of the other pebble.
  ///   - decoding: A function that decodes the output of the other pebble; `nil` if that pebble has
  ///     no output.
  package func assume(_ outcome: Outcome, of input: Int, _ decoding: OutputDecoding?) {
    guard input != pebble else { return }
    core.storage.values.assume(outcome, of: input, decoding)
  }

  /// Calls the body.
  ///
  /// - Parameter number: The number of the attempt, starting at 1.
  /// - Returns: The result of the call.
  package func callBody(attempt number: Int) async -> End {
    let attempts = PebbleAttempts(core, pebble)
    var thread: OrderedQueue.Thread?
    if options.traits.isBlocking, core.options.executor == nil {
      thread = await attempts.waitForThread()
      if thread == nil { return notCalled }
    }
    if Task.isCancelled {
      if case .lease(let lease)? = thread { lease.end() }
      return notCalled
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

  /// Returns the consequences of a failure after which no further attempt is made. The failure may
  /// have occurred outside of the body.
  package func final(_ error: any Error, isStillRunning: Bool = false) -> Failure {
    Failure(
      isStillRunning: isStillRunning,
      cases: core.program.cases(of: pebble, error: error, in: core.identifier))
  }

  /// The result if the calling task was cancelled before the body was called.
  private var notCalled: End {
    let error = CancellationError()
    return .failed(error, final(error))
  }

  /// Undoes an output of the body, because no other pebble will receive it.
  package func discard(_ output: AnyOutput) async {
    await Undoing(core, pebble).discard(output)
  }

  /// Calls the teardown of the pebble, if it has one.
  ///
  /// - Parameter decoding: A function that decodes the output of the body; `nil` if the body has no
  ///   output.
  /// - Throws: The error of the teardown, or ``UndecodableOutput`` if the teardown could not be
  ///   called.
  package func callTeardown(_ decoding: OutputDecoding?) async throws {
    guard options.teardown != nil else { return }
    try await Undoing(core, pebble).undo(decoding.map(EncodedOutput.init)).get()
  }

  /// Returns the consequences of a failed attempt. Attempts must not overlap: if the retry policy
  /// allows another attempt, the method first waits until the failed attempt is over. If the failed
  /// attempt does not end in time, there is no next attempt.
  private func failure(
    _ error: any Error, inAttempt number: Int, leaving call: AttemptCall?
  ) async -> Failure {
    let isOver = { call?.isOver.fulfilled != nil || call == nil }
    var retries = options.traits.retry?.makeRetries()
    retries?.attemptsFailed(number - 1)
    guard !Task.isCancelled, let delay = retries?.delay(afterFailure: error) else {
      return final(error, isStillRunning: !isOver())
    }
    if let call, !(await core.isOver(call)) {
      return final(error, isStillRunning: !isOver())
    }
    return Failure(retryDelay: delay)
  }
}
