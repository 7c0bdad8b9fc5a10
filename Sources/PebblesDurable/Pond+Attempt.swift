import Pebbles

extension Pond {
  /// Calls the body of one pebble once, outside of any run. Use this method when a ``Scheduler``
  /// decides which pebbles are ready, and bodies are called in other processes or on other
  /// machines.
  ///
  /// ```swift
  /// let result = try await pond.attempt(
  ///   .named("store"), of: RunIdentifier("nightly-17"), inputs: ["fetch": .succeeded(pages)],
  ///   coder: JSONOutputs())
  /// ```
  ///
  /// The body is called as in a run: with the pebble's timeout, on the thread or actor that the
  /// pebble requires, and inside the code that the pond wraps around attempts. Inputs are decoded
  /// when the body reads them, and the output is encoded. The caller is responsible for
  /// conditions, limits, priority and `.enabled`. If the calling task is cancelled, the body is
  /// cancelled too, and this method waits until it ends.
  ///
  /// If the body fails, the result contains the error and the decision of the pebble's retry
  /// policy. A body that does not end in time is abandoned, as in a run. If the abandoned body
  /// returns an output later, the output is passed to the pebble's teardown. If another attempt is
  /// to follow, this method first waits for the abandoned body to end, but no longer than the
  /// timeout.
  ///
  /// If an output cannot be encoded, the pebble fails, and the output is passed to its teardown.
  /// There is one exception: an output that is not `Encodable` is dropped if no pebble reads it and
  /// there is no teardown, and the pebble succeeds. An encoded output belongs to the caller, and is
  /// not torn down here.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - number: The number of this attempt, starting at 1, for `PebbleContext.attempt` and for the
  ///     retry policy. The policy assumes that earlier attempts failed with the same error.
  ///   - run: The identifier of the run, which must be the same in all processes. It is used for
  ///     `PebbleContext.runIdentifier` and `PebbleContext.idempotencyKey`. By default, the call
  ///     counts as a separate run.
  ///   - inputs: The outcomes of the pebbles that the body reads, keyed by name; see
  ///     ``Scheduler/inputs(of:)``. Outcomes of other pebbles are allowed.
  ///   - coder: The coder that converts outputs to bytes and back.
  ///   - clock: The clock for the timeout.
  /// - Returns: The output of the body, or its error and whether to call the body again. Either
  ///   result includes the cases that hold for the pebble.
  /// - Throws: `PondError` if the pond is invalid; `UnknownPebbleError` if the pond does not have
  ///   the pebble or one of the inputs; ``AttemptError`` if the pebble is a service or has a given
  ///   value, if `number` is less than 1, or if an input is missing or does not have the needed
  ///   outcome. If one of these errors is thrown, the body has not been called.
  /// - Complexity: O(pebbles + atoms), plus the time of the body.
  public func attempt(
    _ pebble: some PebbleIdentifying, number: Int = 1, of run: RunIdentifier = RunIdentifier(),
    inputs: [String: EncodedOutcome] = [:], coder: some OutputCoder,
    clock: some Clock<Duration> = ContinuousClock()
  ) async throws -> AttemptResult {
    let attempt = try SingleAttempt(
      program(), pebble, number: number, of: run, inputs: inputs, coder, clock)
    return await attempt.result()
  }
}

extension Pond {
  /// Calls the teardown of one pebble once, outside of any run. Use this method for a pebble whose
  /// body was called with ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)`` and succeeded.
  ///
  /// ```swift
  /// try await pond.tearDown(
  ///   .named("store"), of: RunIdentifier("nightly-17"), output: stored, coder: JSONOutputs())
  /// ```
  ///
  /// A ``TeardownSchedule`` determines the order of teardowns. The teardown is called as in a run,
  /// on a separate thread if the pebble is `PebbleTrait.blocking`. Cancelling the calling task does
  /// not cancel the teardown, because the teardown must release the pebble's resources.
  ///
  /// If the pebble has no teardown, this method does nothing. In a teardown,
  /// `PebbleContext.idempotencyKey` is the same as in the body. If the teardown passes this key to
  /// another system, it must also state that the call with this key is to be undone.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - run: The identifier of the run, which must be the same in all processes. By default, the
  ///     call counts as a separate run.
  ///   - output: The output of the body, as bytes; `nil` if the body has no output.
  ///   - coder: The coder that decodes the output.
  /// - Throws: `PondError` if the pond is invalid; `UnknownPebbleError` if the pond does not have
  ///   the pebble; ``AttemptError`` if the pebble is a service, or if its output is missing or
  ///   cannot be decoded. If one of these errors is thrown, the teardown has not been called. If
  ///   the teardown throws an error, this method throws the same error.
  /// - Complexity: O(pebbles + atoms), plus the time of the teardown.
  public func tearDown(
    _ pebble: some PebbleIdentifying, of run: RunIdentifier = RunIdentifier(), output: [UInt8]?,
    coder: some OutputCoder
  ) async throws {
    try await SingleTeardown(program(), pebble, of: run, coder).tearDown(output)
  }
}
