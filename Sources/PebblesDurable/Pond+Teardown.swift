import Pebbles

extension Pond {
  /// Calls the teardown of one pebble once, outside of any run. It is the counterpart of
  /// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)`` for pebbles that succeeded there.
  ///
  /// ```swift
  /// try await pond.tearDown(
  ///   .named("store"), of: RunIdentifier("nightly-17"), output: stored, coder: JSONOutputs())
  /// ```
  ///
  /// A ``TeardownSchedule`` determines the order of teardowns. The teardown is called as in a run,
  /// on a thread of its own if the pebble is `PebbleTrait.blocking`. Cancelling the calling task
  /// does not cancel it, because what was opened must be closed.
  ///
  /// If the pebble has no teardown, nothing happens. In a teardown, `PebbleContext.idempotencyKey`
  /// is the same as in the body. If the teardown passes this key to another system, it must also
  /// say that the call with this key is to be undone.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - run: The identifier of the run, the same in all processes. If not given, the call counts
  ///     as a run of its own.
  ///   - output: The output of the body, as bytes; `nil` if it has none.
  ///   - coder: The coder that decodes the output.
  /// - Throws: The error of the teardown. `PondError` if the pond is defined wrongly,
  ///   `UnknownPebbleError` for a pebble that the pond does not have, and ``AttemptError`` if the
  ///   pebble is a service, or if its output is missing or cannot be decoded: the teardown has not
  ///   been called then.
  /// - Complexity: O(pebbles + atoms) of the pond, and the teardown.
  public func tearDown(
    _ pebble: some PebbleIdentifying, of run: RunIdentifier = RunIdentifier(), output: [UInt8]?,
    coder: some OutputCoder
  ) async throws {
    try await SingleTeardown(program(), pebble, of: run, coder).tearDown(output)
  }
}
