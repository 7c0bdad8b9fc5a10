import Pebbles

/// Copies of a pond in which some bodies are replaced, so that tests do not need to inject an
/// environment:
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
/// Each call returns a copy of the pond as it is at that moment. The original is unchanged and may
/// run at the same time. Later changes to either pond do not affect the other. A handle from the
/// original also identifies the corresponding pebble of the copy: in reports, conditions and
/// inputs, in further replacements, and in a cluster that contains the copy.
///
/// Only the body and the teardown are replaced. The name, condition, inputs, traits and the code
/// around attempts stay the same. The new body returns the same type as the old one, so that other
/// pebbles can take its output as their input. If the body of a pebble is replaced several times,
/// the last replacement is used.
extension Pond {
  /// Returns a copy of the pond in which the body of a pebble is replaced.
  ///
  /// If the pebble has inputs, the body still waits for them but does not receive them. A service
  /// is ready when the new body has returned, and continues until it is stopped. If the original
  /// body takes a completion, the new body returns or throws instead.
  ///
  /// - Parameters:
  ///   - pebble: A pebble of this pond, or of the pond from which this pond was copied. Write
  ///     `cluster[pebble]` for a pebble in a cluster.
  ///   - teardown: A closure that undoes the effects of the new body. The teardown of the original
  ///     pebble is not called.
  ///   - body: The body called in each attempt.
  /// - Returns: The copy.
  /// - Throws: `UnknownPebbleError` if the pond has no such pebble.
  /// - Complexity: O(pebbles).
  public func replacing<Output: Sendable>(
    _ pebble: Pebble<Output>, teardown: (@Sendable (Output) async throws -> Void)? = nil,
    with body: @escaping @Sendable () async throws -> Output
  ) throws(UnknownPebbleError) -> Pond {
    try copy(replacing: pebble, teardown: teardown, with: body)
  }

  /// Returns a copy of the pond in which the body of a pebble is replaced with one that takes
  /// inputs.
  ///
  /// ```swift
  /// try pond.replacing(logIn, needs: settings) { settings in User(name: settings.name) }
  /// ```
  ///
  /// The body may take all inputs of the pebble, some of them, or other inputs. The pebble then
  /// waits for these other inputs as well.
  ///
  /// - Parameters:
  ///   - pebble: A pebble of this pond, or of the pond from which this pond was copied.
  ///   - input: The first input, in the same form as when a pebble is added.
  ///   - inputs: Further inputs.
  ///   - teardown: A closure that undoes the effects of the new body. The teardown of the original
  ///     pebble is not called.
  ///   - body: The body called in each attempt, with the value of each input.
  /// - Returns: The copy.
  /// - Throws: `UnknownPebbleError` if the pond has no such pebble. If an input belongs to another
  ///   pond, the copy has a fault, and its `run()` throws an error.
  /// - Complexity: O(pebbles).
  public func replacing<First: PebbleInput, each Other: PebbleInput, Output: Sendable>(
    _ pebble: Pebble<Output>, needs input: First, _ inputs: repeat each Other,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    with body: @escaping @Sendable (First.Value, repeat (each Other).Value) async throws -> Output
  ) throws(UnknownPebbleError) -> Pond {
    try copy(replacing: pebble, needs: input, repeat each inputs, teardown: teardown, with: body)
  }

  /// Returns a copy of the pond in which the body of a service is replaced.
  ///
  /// ```swift
  /// try pond.replacing(database) { ready in
  ///   ready()
  ///   throw ConnectionLost()
  /// }
  /// ```
  ///
  /// If the new service only has to be ready at once and keep running, write
  /// `replacing(database) {}`.
  ///
  /// - Parameters:
  ///   - pebble: A service of this pond, or of the pond from which this pond was copied.
  ///   - teardown: A closure to call after the new body has ended, during a shutdown or before a
  ///     restart. The teardown of the original service is not called.
  ///   - body: The new body, in the same form as when a service is added.
  /// - Returns: The copy.
  /// - Throws: `UnknownPebbleError` if the pond has no such pebble; `PondError` if the pebble is
  ///   not a service.
  /// - Complexity: O(pebbles).
  public func replacing<Output: Sendable>(
    _ pebble: Pebble<Output>, teardown: (@Sendable (Output) async throws -> Void)? = nil,
    service body: @escaping @Sendable (ServiceReady<Output>) async throws -> Void
  ) throws -> Pond {
    try copy(replacingService: pebble, teardown: teardown, with: body)
  }
}
