import Pebbles

/// Another body in the place of a real one, so that what a boot opens needs no environment to be
/// handed through:
///
/// ```swift
/// let boot = Boot()
/// let pond = try boot.pond
///   .replacing(boot.openDatabase) { Database.inMemory() }
///   .replacing(boot.logIn) { throw LoginFailed() }
/// let report = try await pond.run()
/// try report.expectSucceeded(boot.showOffline)
/// #expect(try report.value(of: boot.openDatabase).isEmpty)
/// ```
///
/// Each call gives a copy of the pond as it is at that moment. The original stays as it is, and may
/// run at the same time; later changes of either are not seen by the other. The handles of the
/// original mean the pebbles of the copy as well: in reports, conditions and inputs, for further
/// replacements, and in a cluster that the copy is added as.
///
/// Only the body and the teardown are replaced. Name, condition, inputs and traits stay, and so
/// does the code around attempts. The new body has the output of the old one, as other pebbles take
/// it as their input. A pebble may be replaced again: the last body counts.
extension Pond {
  /// A copy of the pond in which a pebble has another body.
  ///
  /// Of a pebble with inputs, the body still waits for them, but does not take them. A service is
  /// ready when the body has returned, and goes on until it is stopped. A callback is replaced by a
  /// body that returns or throws.
  ///
  /// - Parameters:
  ///   - pebble: A pebble of this pond, or of the one that this is a copy of; one in a cluster as
  ///     `cluster[pebble]`.
  ///   - teardown: Undoes what the new body did. That of the pebble is left out: it is for the real
  ///     thing.
  ///   - body: What is called instead of the body, in each attempt.
  /// - Returns: The copy.
  /// - Throws: `UnknownPebbleError` if the pond has no such pebble.
  /// - Complexity: O(pebbles).
  public func replacing<Output: Sendable>(
    _ pebble: Pebble<Output>, teardown: (@Sendable (Output) async throws -> Void)? = nil,
    with body: @escaping @Sendable () async throws -> Output
  ) throws(UnknownPebbleError) -> Pond {
    try copy(replacing: pebble, teardown: teardown, with: body)
  }

  /// A copy of the pond in which a pebble has another body that takes inputs.
  ///
  /// ```swift
  /// try pond.replacing(logIn, needs: settings) { settings in User(name: settings.name) }
  /// ```
  ///
  /// The body may take all inputs that the pebble has, some of them, or others, which it then waits
  /// for as well.
  ///
  /// - Parameters:
  ///   - pebble: A pebble of this pond, or of the one that this is a copy of.
  ///   - input: The first input, as when a pebble is added.
  ///   - inputs: Further inputs.
  ///   - teardown: Undoes what the new body did. That of the pebble is left out.
  ///   - body: What is called instead of the body, with the value of each input.
  /// - Returns: The copy.
  /// - Throws: `UnknownPebbleError` if the pond has no such pebble. An input of another pond is a
  ///   fault of the copy, which its `run()` throws.
  /// - Complexity: O(pebbles).
  public func replacing<First: PebbleInput, each Other: PebbleInput, Output: Sendable>(
    _ pebble: Pebble<Output>, needs input: First, _ inputs: repeat each Other,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    with body: @escaping @Sendable (First.Value, repeat (each Other).Value) async throws -> Output
  ) throws(UnknownPebbleError) -> Pond {
    try copy(replacing: pebble, needs: input, repeat each inputs, teardown: teardown, with: body)
  }

  /// A copy of the pond in which a service has another body.
  ///
  /// ```swift
  /// try pond.replacing(database) { ready in
  ///   ready()
  ///   throw ConnectionLost()
  /// }
  /// ```
  ///
  /// For one that is simply ready and goes on, `replacing(database) {}` is enough.
  ///
  /// - Parameters:
  ///   - pebble: A service of this pond, or of the one that this is a copy of.
  ///   - teardown: Called once the new body has ended because of a shutdown. That of the service is
  ///     left out.
  ///   - body: What is called instead of the body, as when a service is added.
  /// - Returns: The copy.
  /// - Throws: `UnknownPebbleError` if the pond has no such pebble; `PondError` if it is no
  ///   service.
  /// - Complexity: O(pebbles).
  public func replacing<Output: Sendable>(
    _ pebble: Pebble<Output>, teardown: (@Sendable (Output) async throws -> Void)? = nil,
    service body: @escaping @Sendable (ServiceReady<Output>) async throws -> Void
  ) throws -> Pond {
    try copy(replacingService: pebble, teardown: teardown, with: body)
  }
}
