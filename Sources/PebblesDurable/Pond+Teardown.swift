import Pebbles

extension Pond {
  /// Calls the teardown of one pebble once, outside of any run: the counterpart of
  /// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)`` for what has succeeded there.
  ///
  /// ```swift
  /// try await pond.tearDown(
  ///   .named("store"), of: RunIdentifier("nightly-17"), output: stored, coder: JSONOutputs())
  /// ```
  ///
  /// When that is, and in which order, a ``TeardownSchedule`` says. The teardown is called where it
  /// would be in a run, on a thread of its own if the pebble is `PebbleTrait.blocking`. What was
  /// opened is to be closed: cancelling the calling task does not cancel it.
  ///
  /// A pebble without a teardown has nothing to undo, and nothing happens. The
  /// `PebbleContext.idempotencyKey` that a teardown finds is that of the body, so who hands it on
  /// adds that this undoes.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - run: Which run it is for, the same in all processes. A run of its own, if not given.
  ///   - output: What its body returned, as bytes; `nil` if it has no output.
  ///   - coder: Turns bytes into outputs.
  /// - Throws: What the teardown threw. `PondError` if the pond is defined wrongly,
  ///   `UnknownPebbleError` for a pebble that it does not have, and ``AttemptError`` if that is a
  ///   service, or its output is missing or cannot be decoded: the teardown has not been called
  ///   then.
  /// - Complexity: O(pebbles + atoms) of the pond, beside the teardown.
  public func tearDown(
    _ pebble: some PebbleIdentifying, of run: RunIdentifier = RunIdentifier(), output: [UInt8]?,
    coder: some OutputCoder
  ) async throws {
    try await SingleTeardown(program(), pebble, of: run, coder).tearDown(output)
  }
}
