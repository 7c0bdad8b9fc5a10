extension Pond {
  /// Adds a pebble without inputs.
  ///
  /// ```swift
  /// let token = pond.pebble("loadToken", when: ping.succeeded) { try await keychain.token() }
  /// ```
  ///
  /// The body starts once the condition is true, at most once per run. If it returns, the pebble
  /// has succeeded and its output is what was returned; if it throws, the pebble has failed. To run
  /// on the main actor, say so in the closure: `{ @MainActor in … }`.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///     ``run(clock:deadline:learningFrom:holding:)`` reports a violation as a ``PondError``.
  ///   - condition: Decides whether and when the pebble runs; at once if not given.
  ///   - isEnabled: Asked once at the start of each run; if it returns `false` the pebble is
  ///     skipped with ``SkipReason/disabled``, on which others may depend. It must be quick.
  ///   - timeout: How long an attempt may take. After that the pebble fails with ``PebbleTimeout``,
  ///     even if the body ignores cancellation.
  ///   - retry: Whether, and when, a failed body is called again.
  ///   - key: Pebbles with the same key never run at the same time in one run.
  ///   - resources: What the pebble holds while it runs.
  ///   - priority: Among pebbles that are ready, those of higher priority start first.
  ///   - executor: Where the body runs; on the concurrency pool if not given.
  ///   - isBlocking: Whether the body blocks its thread. It then runs on one of a few threads of
  ///     their own, so that it does not take one from the concurrency pool.
  ///   - teardown: Undoes what the body did, given its output. Called once, when the run is shut
  ///     down or was cancelled, if the pebble had succeeded; see ``Run/shutdown(deadline:)``.
  ///   - body: The task. It is called on the concurrency pool and, unless it is `blocking`, must
  ///     not block a thread there.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @inlinable
  @discardableResult
  public func pebble<Output: Sendable>(
    _ name: String, when condition: Condition = .always,
    enabled isEnabled: (@Sendable () -> Bool)? = nil, timeout: Duration? = nil,
    retry: RetryPolicy? = nil, exclusive key: String? = nil, uses resources: ResourceUse...,
    priority: Int = 0, executor: (any TaskExecutor)? = nil, blocking isBlocking: Bool = false,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    _ body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) -> Pebble<Output> {
    // Inlined, so that who gives no options does not pass a dozen arguments to say so.
    let isPlain =
      isEnabled == nil && timeout == nil && retry == nil && key == nil && resources.isEmpty
      && priority == 0 && executor == nil && !isBlocking && teardown == nil
    if isPlain { return addPlain(name, when: condition, body) }
    return addWithOptions(
      name, when: condition, enabled: isEnabled, timeout: timeout, retry: retry, exclusive: key,
      uses: resources, priority: priority, executor: executor, blocking: isBlocking,
      teardown: teardown, body)
  }

  @usableFromInline
  func addPlain<Output: Sendable>(
    _ name: String, when condition: Condition,
    _ body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) -> Pebble<Output> {
    add(name, needs: nil, when: condition, nil, Body(body))
  }

  @usableFromInline
  func addWithOptions<Output: Sendable>(
    _ name: String, when condition: Condition, enabled isEnabled: (@Sendable () -> Bool)?,
    timeout: Duration?, retry: RetryPolicy?, exclusive key: String?,
    uses resources: [ResourceUse], priority: Int, executor: (any TaskExecutor)?,
    blocking isBlocking: Bool, teardown: (@Sendable (Output) async throws -> Void)?,
    _ body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) -> Pebble<Output> {
    let options = PebbleOptions(
      isEnabled: isEnabled, timeout: timeout, retry: retry, exclusive: key, uses: resources,
      priority: priority, executor: executor, isBlocking: isBlocking,
      teardown: tearingDown(teardown))
    return add(name, needs: nil, when: condition, options, Body(body))
  }

  /// Adds a pebble that takes the outcomes of others as typed inputs.
  ///
  /// ```swift
  /// pond.pebble("refresh", needs: launches.result, settings) { launches, settings in
  ///   // launches: Result<[Launch], any Error>; settings: Settings
  /// }
  /// ```
  ///
  /// A plain pebble needs it to succeed and gives its output; ``Pebble/result`` needs it to
  /// complete and gives a `Result`; ``Pebble/optional`` needs it to settle and gives an optional.
  /// What the inputs imply is AND-ed with `when:`.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - first: The pebble whose output the body is handed first.
  ///   - others: Further pebbles; the body is handed their outputs in this order.
  ///   - condition: A further condition.
  ///   - isEnabled: Asked once at the start of each run; if it returns `false` the pebble is
  ///     skipped with ``SkipReason/disabled``, on which others may depend. It must be quick.
  ///   - timeout: How long an attempt may take. After that the pebble fails with ``PebbleTimeout``,
  ///     even if the body ignores cancellation.
  ///   - retry: Whether, and when, a failed body is called again.
  ///   - key: Pebbles with the same key never run at the same time in one run.
  ///   - resources: What the pebble holds while it runs.
  ///   - priority: Among pebbles that are ready, those of higher priority start first.
  ///   - executor: Where the body runs; on the concurrency pool if not given.
  ///   - isBlocking: Whether the body blocks its thread. It then runs on one of a few threads of
  ///     their own, so that it does not take one from the concurrency pool.
  ///   - teardown: Undoes what the body did, given its output. Called once, when the run is shut
  ///     down or was cancelled, if the pebble had succeeded; see ``Run/shutdown(deadline:)``.
  ///   - body: The task, called with the value of each input.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(inputs) amortized.
  @discardableResult
  public func pebble<First: PebbleInput, each Other: PebbleInput, Output: Sendable>(
    _ name: String, needs first: First, _ others: repeat each Other,
    when condition: Condition = .always,
    enabled isEnabled: (@Sendable () -> Bool)? = nil, timeout: Duration? = nil,
    retry: RetryPolicy? = nil, exclusive key: String? = nil, uses resources: ResourceUse...,
    priority: Int = 0, executor: (any TaskExecutor)? = nil, blocking isBlocking: Bool = false,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    _ body: @escaping @Sendable (First.Value, repeat (each Other).Value) async throws -> Output
  ) -> Pebble<Output> {
    let (need, needs) = (first.need, (repeat (each others).need))
    var implied = [need.condition]
    for need in repeat each needs { implied.append(need.condition) }
    let wired = Body(wired: { inputs in
      try await body(need.value(in: inputs), repeat (each needs).value(in: inputs))
    })
    let options = PebbleOptions.unlessDefault(
      isEnabled: isEnabled, timeout: timeout, retry: retry, exclusive: key, uses: resources,
      priority: priority, executor: executor, isBlocking: isBlocking,
      teardown: tearingDown(teardown))
    return add(name, needs: .all(implied), when: condition, options, wired)
  }

  /// Adds a pebble around a callback: the body is handed a ``Completion`` to call once.
  ///
  /// ```swift
  /// let ping = pond.pebble("ping") { complete in
  ///   api.ping { complete(true) } failure: { complete(false) }
  /// }
  /// ```
  ///
  /// The pebble settles when the body has returned and the completion was called, with the first
  /// call deciding; a thrown error counts as a call. A completion that is dropped without being
  /// called fails the pebble with ``CompletionError/abandoned``. If the run is cancelled while the
  /// callback is awaited, the pebble fails with `CancellationError` and a later call is ignored.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - condition: Decides whether and when the pebble runs; at once if not given.
  ///   - isEnabled: Asked once at the start of each run; if it returns `false` the pebble is
  ///     skipped with ``SkipReason/disabled``, on which others may depend. It must be quick.
  ///   - timeout: How long an attempt may take. After that the pebble fails with ``PebbleTimeout``,
  ///     even if the body ignores cancellation.
  ///   - retry: Whether, and when, a failed body is called again.
  ///   - key: Pebbles with the same key never run at the same time in one run.
  ///   - resources: What the pebble holds while it runs.
  ///   - priority: Among pebbles that are ready, those of higher priority start first.
  ///   - executor: Where the body runs; on the concurrency pool if not given.
  ///   - isBlocking: Whether the body blocks its thread. It then runs on one of a few threads of
  ///     their own, so that it does not take one from the concurrency pool.
  ///   - teardown: Undoes what the body did. Called once, when the run is shut down or was
  ///     cancelled, if the pebble had succeeded; see ``Run/shutdown(deadline:)``.
  ///   - body: Starts the work and hands the completion on.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func pebble(
    _ name: String, when condition: Condition = .always,
    enabled isEnabled: (@Sendable () -> Bool)? = nil, timeout: Duration? = nil,
    retry: RetryPolicy? = nil, exclusive key: String? = nil, uses resources: ResourceUse...,
    priority: Int = 0, executor: (any TaskExecutor)? = nil, blocking isBlocking: Bool = false,
    teardown: (@Sendable () async throws -> Void)? = nil,
    _ body: @escaping @Sendable (Completion) async throws -> Void
  ) -> Pebble<Void> {
    let options = PebbleOptions.unlessDefault(
      isEnabled: isEnabled, timeout: timeout, retry: retry, exclusive: key, uses: resources,
      priority: priority, executor: executor, isBlocking: isBlocking,
      teardown: tearingDown(teardown))
    return add(name, needs: nil, when: condition, options, Body(callback: body))
  }

  private func add<Output>(
    _ name: String, needs: Condition?, when condition: Condition, _ options: PebbleOptions?,
    _ body: consuming Body
  ) -> Pebble<Output> {
    Pebble(reference: definition.append(name, needs: needs, when: condition, options, body))
  }
}

/// The teardown of a pebble without an output.
func tearingDown(_ teardown: (@Sendable () async throws -> Void)?) -> PebbleOptions.Teardown? {
  guard let teardown else { return nil }
  return { _, _ in try await teardown() }
}

/// Hands the teardown of a pebble its output.
private func tearingDown<Output: Sendable>(
  _ teardown: (@Sendable (Output) async throws -> Void)?
) -> PebbleOptions.Teardown? {
  guard let teardown else { return nil }
  return { values, pebble in
    guard let output = values.output(at: pebble, as: Output.self) else {
      preconditionFailure("a pebble that has not succeeded is torn down")
    }
    try await teardown(output)
  }
}
