extension Pond {
  /// Adds a pebble that takes the outcome of another pebble as a typed input.
  ///
  /// ```swift
  /// pond.pebble("refresh", needs: launches.result, settings) { launches, settings in
  ///   // launches: Result<[Launch], any Error>; settings: Settings
  /// }
  /// ```
  ///
  /// The form of an input determines how the other pebble must end, and which value the body
  /// receives:
  ///
  /// - A ``Pebble`` must succeed. The value is its output.
  /// - ``Pebble/result`` requires that the pebble completes. The value is a `Result`.
  /// - ``Pebble/optional`` requires that the pebble settles. The value is an optional.
  /// - ``Pebble/outcome`` requires that the pebble settles. The value is its ``Outcome``.
  /// - An array of inputs requires that each element has a value. The value is an array of these
  ///   values.
  ///
  /// The pebble runs only if the `when:` condition and all conditions implied by the inputs are
  /// true.
  ///
  /// There are overloads for any number of inputs. The overloads for up to four inputs exist only
  /// to produce clearer compiler errors when a body has the wrong number of parameters.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble in reports and pictures. It must be nonempty, and unique in
  ///     the pond.
  ///   - traits: The traits of the pebble; see ``PebbleTrait``.
  ///   - first: The input. The body receives its value.
  ///   - condition: A condition in addition to those implied by the inputs.
  ///   - teardown: A closure that receives the body's output and undoes the body's work. If the
  ///     pebble succeeded, the closure is called once when the run is shut down or has been
  ///     cancelled; see ``Run/shutdown(within:)``.
  ///   - body: The task, called with the value of each input.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(inputs) amortized.
  @discardableResult
  public func pebble<A: PebbleInput, Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., needs first: A,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body:
      nonisolated(nonsending) @escaping @Sendable (A.Value) async throws -> Output
  ) -> Pebble<Output> {
    let need = first.need
    let wired = Body(wired: { inputs in try await body(need.value(in: inputs)) })
    return add(
      name, traits, needs: need.condition, when: condition, tearingDown(teardown), wired)
  }

  /// Adds a pebble that takes the outcomes of two other pebbles as typed inputs. See the overload
  /// for one input.
  @discardableResult
  public func pebble<A: PebbleInput, B: PebbleInput, Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., needs first: A, _ second: B,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body:
      nonisolated(nonsending) @escaping @Sendable (A.Value, B.Value) async throws -> Output
  ) -> Pebble<Output> {
    let needs = (first.need, second.need)
    let implied = Condition.all(
      needs.0.condition, needs.1.condition)
    let wired = Body(wired: { inputs in
      try await body(
        needs.0.value(in: inputs), needs.1.value(in: inputs))
    })
    return add(name, traits, needs: implied, when: condition, tearingDown(teardown), wired)
  }

  /// Adds a pebble that takes the outcomes of three other pebbles as typed inputs. See the overload
  /// for one input.
  @discardableResult
  public func pebble<A: PebbleInput, B: PebbleInput, C: PebbleInput, Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., needs first: A, _ second: B, _ third: C,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body:
      nonisolated(nonsending) @escaping @Sendable (A.Value, B.Value, C.Value) async throws -> Output
  ) -> Pebble<Output> {
    let needs = (first.need, second.need, third.need)
    let implied = Condition.all(
      needs.0.condition, needs.1.condition, needs.2.condition)
    let wired = Body(wired: { inputs in
      try await body(
        needs.0.value(in: inputs), needs.1.value(in: inputs), needs.2.value(in: inputs))
    })
    return add(name, traits, needs: implied, when: condition, tearingDown(teardown), wired)
  }

  /// Adds a pebble that takes the outcomes of four other pebbles as typed inputs. See the overload
  /// for one input.
  @discardableResult
  public func pebble<
    A: PebbleInput, B: PebbleInput, C: PebbleInput, D: PebbleInput, Output: Sendable
  >(
    _ name: String, _ traits: PebbleTrait..., needs first: A, _ second: B, _ third: C, _ fourth: D,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body:
      nonisolated(nonsending) @escaping @Sendable (A.Value, B.Value, C.Value, D.Value) async throws
      -> Output
  ) -> Pebble<Output> {
    let needs = (first.need, second.need, third.need, fourth.need)
    let implied = Condition.all(
      needs.0.condition, needs.1.condition, needs.2.condition, needs.3.condition)
    let wired = Body(wired: { inputs in
      try await body(
        needs.0.value(in: inputs), needs.1.value(in: inputs), needs.2.value(in: inputs),
        needs.3.value(in: inputs))
    })
    return add(name, traits, needs: implied, when: condition, tearingDown(teardown), wired)
  }

  // Disfavored, so that a body that fits one of the overloads above is never ambiguous.
  /// Adds a pebble that takes the outcomes of any number of other pebbles as typed inputs. See the
  /// overload for one input.
  @discardableResult
  @_disfavoredOverload
  public func pebble<First: PebbleInput, each Other: PebbleInput, Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., needs first: First, _ others: repeat each Other,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body: @escaping @Sendable (First.Value, repeat (each Other).Value) async throws -> Output
  ) -> Pebble<Output> {
    let (need, needs) = (first.need, (repeat (each others).need))
    var implied = [need.condition]
    for need in repeat each needs { implied.append(need.condition) }
    let wired = Body(wired: { inputs in
      try await body(need.value(in: inputs), repeat (each needs).value(in: inputs))
    })
    return add(
      name, traits, needs: .all(implied), when: condition, tearingDown(teardown), wired)
  }
}
