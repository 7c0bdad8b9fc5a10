import Pebbles

extension Pond {
  /// Calls the body of one pebble once, outside of any run: for whoever lets a ``Scheduler`` decide
  /// what is ready and calls bodies in other processes or on other machines.
  ///
  /// ```swift
  /// let result = try await pond.attempt(
  ///   .named("store"), of: RunIdentifier("nightly-17"), inputs: ["fetch": .succeeded(pages)],
  ///   coder: JSONOutputs())
  /// ```
  ///
  /// The body is called as a run would call it: with the pebble's timeout, where it is to run, with
  /// what the pond has around it. Its inputs are decoded where it reads them, and its output is
  /// encoded. Its conditions, limits, priority and what `.enabled` says are up to the caller.
  /// Cancelling the calling task cancels the body, and waits for it.
  ///
  /// A failure of the body is in the result, with what the pebble's retry policy makes of it. A
  /// body that does not end in time is given up as in a run; what it returns after all goes to the
  /// teardown of the pebble. Before the call says when to try again, it waits for the end of such a
  /// body, for as long again as that had.
  ///
  /// An output that is not `Encodable` fails the pebble, and goes to its teardown, unless no pebble
  /// reads it and there is no teardown: then it is dropped. What has become bytes is the caller's,
  /// and is not torn down here.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - number: Which attempt this is, from 1 on: for `PebbleContext.attempt`, and for the retry
  ///     policy, which takes the attempts before to have failed with the same error.
  ///   - run: Which run it is for, the same in all processes: for `PebbleContext.runIdentifier`
  ///     and `PebbleContext.idempotencyKey`. A run of its own, if not given.
  ///   - inputs: How the pebbles have ended that the body reads, by name: see
  ///     ``Scheduler/inputs(of:)``. There may be more of them.
  ///   - coder: Turns outputs into bytes and back.
  ///   - clock: Tells when the timeout is over.
  /// - Returns: The output, or what the body failed with.
  /// - Throws: `PondError` if the pond is defined wrongly, `UnknownPebbleError` for a pebble or
  ///   an input that it does not have, and ``AttemptError`` if the pebble is a service or given,
  ///   or an input is missing or has ended as the pebble does not need it. The body has not been
  ///   called then.
  /// - Complexity: O(pebbles + atoms) of the pond, beside the body.
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
