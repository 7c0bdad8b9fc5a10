extension Pond {
  /// Adds a pebble without inputs.
  ///
  /// ```swift
  /// let token = pond.pebble("loadToken", .timeout(.seconds(3)), when: ping.succeeded) {
  ///   try await keychain.token()
  /// }
  /// ```
  ///
  /// The body is called once the condition is true. A run calls it at most once, unless a trait
  /// such as ``PebbleTrait/retry(_:)`` says otherwise. If the body returns, the pebble succeeds and
  /// the returned value is its output; if the body throws, the pebble fails. To run on the main
  /// actor, annotate the closure: `{ @MainActor in … }`.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble in reports and pictures. It must be nonempty, and unique in
  ///     the pond; ``run(given:only:clock:within:learningFrom:holding:detached:)`` reports a
  ///     violation as a ``PondError``.
  ///   - traits: The traits of the pebble, such as `.retry(.attempts(4))`; see ``PebbleTrait``.
  ///   - condition: The condition that decides whether and when the pebble runs; by default, the
  ///     pebble runs at once.
  ///   - teardown: A closure that receives the body's output and undoes the body's work. If the
  ///     pebble succeeded, the closure is called exactly once, when the run is shut down or after
  ///     it was cancelled; see ``Run/shutdown(within:)``.
  ///   - body: The task. Unless the pebble is ``PebbleTrait/blocking``, the task must not block its
  ///     thread, which may belong to the concurrency pool.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func pebble<Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) -> Pebble<Output> {
    add(name, traits, needs: nil, when: condition, tearingDown(teardown), Body(body))
  }

  /// Adds a pebble that wraps a callback: the body receives a ``Completion`` to call once.
  ///
  /// ```swift
  /// let ping = pond.pebble("ping") { complete in
  ///   api.ping { complete(true) } failure: { complete(false) }
  /// }
  /// ```
  ///
  /// The pebble settles when the body has returned and the completion has been called. The first
  /// call decides the outcome; a thrown error counts as a call. If the completion is dropped
  /// without being called, the pebble fails with ``CompletionError/abandoned``. If the run is
  /// cancelled while the callback is awaited, the pebble fails with `CancellationError` and a later
  /// call no longer changes the outcome; a late success is undone by `teardown`.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble in reports and pictures. It must be nonempty, and unique in
  ///     the pond.
  ///   - traits: The traits of the pebble; see ``PebbleTrait``.
  ///   - condition: The condition that decides whether and when the pebble runs; by default, the
  ///     pebble runs at once.
  ///   - teardown: A closure that undoes the work of the body. If the pebble succeeded, the closure
  ///     is called exactly once, when the run is shut down or after it was cancelled; see
  ///     ``Run/shutdown(within:)``. It is also called after each late success.
  ///   - body: A closure that starts the work and passes the completion to it.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func pebble(
    _ name: String, _ traits: PebbleTrait..., when condition: Condition = .always,
    teardown: (@Sendable () async throws -> Void)? = nil,
    body: @escaping @Sendable (Completion) async throws -> Void
  ) -> Pebble<Void> {
    add(name, traits, needs: nil, when: condition, tearingDown(teardown), Body(callback: body))
  }

  @inline(__always)
  func add<Output>(
    _ name: String, _ traits: [PebbleTrait], needs: Condition?, when condition: Condition,
    _ teardown: PebbleOptions.TeardownBody?, _ body: consuming Body
  ) -> Pebble<Output> {
    let options = PebbleOptions.unlessEmpty(traits, teardown: teardown)
    return Pebble(
      reference: definition.append(name, needs: needs, when: condition, options, body))
  }
}

// `guard` and not `map`: in code that is generic over the output, mapping an optional closure looks
// up the types of both closures at run time, which takes half as long as the rest of adding a
// pebble.

/// Returns a closure that ignores its argument and calls the teardown of a pebble that has no
/// output; `nil` if the pebble has no teardown.
func tearingDown(
  _ teardown: (@Sendable () async throws -> Void)?
) -> PebbleOptions.TeardownBody? {
  guard let teardown else { return nil }
  return { _ in try await teardown() }
}

/// Returns a closure that receives the boxed output of a pebble, and calls the pebble's teardown
/// with the unboxed output; `nil` if the pebble has no teardown.
@inline(__always)
func tearingDown<Output: Sendable>(
  _ teardown: (@Sendable (Output) async throws -> Void)?
) -> PebbleOptions.TeardownBody? {
  guard let teardown else { return nil }
  return { payload in
    guard let output = payload.output(as: Output.self) else {
      return try await teardown(payload.outputElsewhere(as: Output.self))
    }
    try await teardown(output)
  }
}
