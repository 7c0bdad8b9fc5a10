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
  ///     ``run(clock:)`` reports a violation as a ``PondError``.
  ///   - condition: Decides whether and when the pebble runs; at once if not given.
  ///   - body: The task. It is called on the concurrency pool and must not block a thread there.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func pebble<Output: Sendable>(
    _ name: String, when condition: Condition = .always,
    _ body: consuming nonisolated(nonsending) @escaping @Sendable () async throws -> Output
  ) -> Pebble<Output> {
    add(name, needs: nil, when: condition, Body(body))
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
  ///   - body: The task, called with the value of each input.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(inputs) amortized.
  @discardableResult
  public func pebble<First: PebbleInput, each Other: PebbleInput, Output: Sendable>(
    _ name: String, needs first: First, _ others: repeat each Other,
    when condition: Condition = .always,
    _ body: @escaping @Sendable (First.Value, repeat (each Other).Value) async throws -> Output
  ) -> Pebble<Output> {
    let (need, needs) = (first.need, (repeat (each others).need))
    var implied = [need.condition]
    for need in repeat each needs { implied.append(need.condition) }
    let wired = Body(wired: { storage in
      try await body(need.value(in: storage), repeat (each needs).value(in: storage))
    })
    return add(name, needs: .all(implied), when: condition, wired)
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
  ///   - body: Starts the work and hands the completion on.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func pebble(
    _ name: String, when condition: Condition = .always,
    _ body: @escaping @Sendable (Completion) async throws -> Void
  ) -> Pebble<Void> {
    add(name, needs: nil, when: condition, Body(callback: body))
  }

  private func add<Output>(
    _ name: String, needs: Condition?, when condition: Condition, _ body: consuming Body
  ) -> Pebble<Output> {
    Pebble(reference: definition.append(name, needs: needs, when: condition, body))
  }
}
