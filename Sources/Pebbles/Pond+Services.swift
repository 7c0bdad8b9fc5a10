extension Pond {
  /// Adds a service: a pebble that succeeds when it is ready, and then keeps running.
  ///
  /// ```swift
  /// let metrics = pond.service("metrics") { ready in
  ///   let exporter = try await Exporter.connected()
  ///   ready()
  ///   try await exporter.run()
  /// }
  /// pond.pebble("migrate", when: metrics.succeeded) { try await migrate() }
  /// ```
  ///
  /// The pebble succeeds when the body calls `ready`. The body then continues in a separate task
  /// until the run is shut down. The shutdown asks the body to stop
  /// (``ServiceReady/stopRequested()``), and cancels it after the time that
  /// ``PebbleTrait/stopWithin(_:)`` allows. Without this trait, the body is cancelled at once. See
  /// ``Run/shutdown(within:)`` and
  /// ``Pond/run(untilSignal:given:only:clock:within:shutdownWithin:)``.
  ///
  /// If the body ends before it has called `ready`, the pebble fails. If it ends later without
  /// having been asked to stop, this counts as a failure of the run. The run is then shut down,
  /// unless ``PebbleTrait/ending(_:)`` says otherwise. The pebble's timeout, retries and resources
  /// apply only until the service is ready.
  ///
  /// The type of a service's output is inferred from the type of the handle, or from the type of
  /// the closure's `ready` parameter:
  ///
  /// ```swift
  /// let database: Pebble<Database> = pond.service("database") { ready in … ready(database) … }
  /// pond.service("http", needs: database) { ready, database in … }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the service in reports and pictures. It must be nonempty, and unique in
  ///     the pond.
  ///   - traits: The traits of the service; see ``PebbleTrait``, in particular
  ///     ``PebbleTrait/ending(_:)``, ``PebbleTrait/stopWithin(_:)`` and
  ///     ``PebbleTrait/stopsBefore(_:)``.
  ///   - condition: The condition that decides whether and when the service starts; by default, the
  ///     service starts at once.
  ///   - teardown: A closure that is called after the body has ended, in a shutdown or before a
  ///     restart.
  ///   - body: The work of the service, which must end when the service is asked to stop or its
  ///     task is cancelled.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func service(
    _ name: String, _ traits: PebbleTrait..., when condition: Condition = .always,
    teardown: (@Sendable () async throws -> Void)? = nil,
    body: @escaping @Sendable (ServiceReady<Void>) async throws -> Void
  ) -> Pebble<Void> {
    add(
      name, traits, needs: nil, when: condition, tearingDown(teardown),
      serviceBody { ready, _ in try await body(ready) })
  }

  /// Adds a service that has an output.
  ///
  /// Apart from its output, the service behaves like one added without an output.
  ///
  /// - Parameters:
  ///   - name: The name of the service in reports and pictures.
  ///   - traits: The traits of the service.
  ///   - condition: The condition that decides whether and when the service starts.
  ///   - teardown: A closure that is called with the output after the body has ended, in a shutdown
  ///     or before a restart.
  ///   - body: The work of the service, which calls `ready(output)`.
  /// - Returns: A handle for conditions, inputs of other pebbles, and reports.
  @discardableResult
  public func service<Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body: @escaping @Sendable (ServiceReady<Output>) async throws -> Void
  ) -> Pebble<Output> {
    add(
      name, traits, needs: nil, when: condition, tearingDown(teardown),
      serviceBody { ready, _ in try await body(ready) })
  }

  /// Adds a service that takes the outcomes of other pebbles as typed inputs.
  ///
  /// The inputs work like those of any other pebble.
  ///
  /// ```swift
  /// pond.service("http", .stopsBefore(database), needs: database) { ready, database in
  ///   try await Server(database).run(whenListening: { ready() })
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the service in reports and pictures.
  ///   - traits: The traits of the service.
  ///   - first: The first input, whose value the body receives.
  ///   - others: The other inputs, whose values the body receives.
  ///   - condition: A condition in addition to those implied by the inputs.
  ///   - teardown: A closure that is called after the body has ended, in a shutdown or before a
  ///     restart.
  ///   - body: The work of the service, called with the value of each input.
  /// - Returns: A handle for conditions and reports.
  /// - Complexity: O(inputs) amortized.
  @discardableResult
  public func service<First: PebbleInput, each Other: PebbleInput>(
    _ name: String, _ traits: PebbleTrait..., needs first: First, _ others: repeat each Other,
    when condition: Condition = .always,
    teardown: (@Sendable () async throws -> Void)? = nil,
    body:
      @escaping @Sendable (ServiceReady<Void>, First.Value, repeat (each Other).Value) async throws
      -> Void
  ) -> Pebble<Void> {
    let (need, needs) = (first.need, (repeat (each others).need))
    var implied = [need.condition]
    for need in repeat each needs { implied.append(need.condition) }
    return add(
      name, traits, needs: .all(implied), when: condition, tearingDown(teardown),
      serviceBody { ready, inputs in
        try await body(ready, need.value(in: inputs), repeat (each needs).value(in: inputs))
      })
  }

  // Disfavored, so that a body that fits the overload above is never ambiguous.
  /// Adds a service that takes the outcomes of other pebbles as typed inputs and has an output.
  ///
  /// The output is passed to the teardown.
  @discardableResult
  @_disfavoredOverload
  public func service<First: PebbleInput, each Other: PebbleInput, Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., needs first: First, _ others: repeat each Other,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body:
      @escaping @Sendable (ServiceReady<Output>, First.Value, repeat (each Other).Value)
      async throws -> Void
  ) -> Pebble<Output> {
    let (need, needs) = (first.need, (repeat (each others).need))
    var implied = [need.condition]
    for need in repeat each needs { implied.append(need.condition) }
    return add(
      name, traits, needs: .all(implied), when: condition, tearingDown(teardown),
      serviceBody { ready, inputs in
        try await body(ready, need.value(in: inputs), repeat (each needs).value(in: inputs))
      })
  }

  private func add<Output>(
    _ name: String, _ traits: [PebbleTrait], needs: Condition?, when condition: Condition,
    _ teardown: PebbleOptions.TeardownBody?, _ service: @escaping ServiceBody
  ) -> Pebble<Output> {
    let options = PebbleOptions(traits, teardown: teardown, service: service)
    return Pebble(
      reference: definition.append(name, needs: needs, when: condition, options, .none()))
  }
}

// Without this, Swift 6.3.1 crashes on the body of a service that leaves out its inputs.
extension Pond {
  /// Explains in a compiler error that the body of a service with inputs takes `ready` and the
  /// value of each input.
  @available(
    *, unavailable,
    message: "the body takes the value of each input: { ready, value in … }, or { ready, _ in … }"
  )
  @discardableResult
  @_disfavoredOverload
  public func service<Output: Sendable>(
    _ name: String, _ traits: PebbleTrait..., needs: any PebbleInput...,
    when condition: Condition = .always,
    teardown: (@Sendable (Output) async throws -> Void)? = nil,
    body: @escaping @Sendable (ServiceReady<Output>) async throws -> Void
  ) -> Pebble<Output> {
    service(name, when: condition, teardown: teardown, body: body)
  }
}
