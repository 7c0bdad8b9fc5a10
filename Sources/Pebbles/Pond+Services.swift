extension Pond {
  /// Adds a service: a pebble that succeeds when it is ready and goes on running.
  ///
  /// ```swift
  /// let database = pond.service("database") { ready in
  ///   try await client.run(whenConnected: ready)
  /// }
  /// pond.pebble("migrate", when: database.succeeded) { try await migrate() }
  /// ```
  ///
  /// The pebble succeeds when the body calls `ready`. The body goes on in a task of its own until
  /// the run is shut down, which cancels that task: see ``Run/shutdown(deadline:)`` and
  /// ``Pond/run(untilSignal:clock:deadline:shutdownDeadline:)``. A body that ends before it has
  /// called `ready` fails the pebble; one that ends later is an event
  /// (``RunEvent/Kind/serviceEnded``) and, unless ``PebbleTrait/ending(_:)`` says otherwise,
  /// shuts the run down. Limits hold until the service is ready.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - traits: What else the service is given: see ``PebbleTrait``, in particular
  ///     ``PebbleTrait/ending(_:)``.
  ///   - condition: Decides whether and when the service starts; at once if not given.
  ///   - teardown: Called once the body has ended because of a shutdown.
  ///   - body: The service. It must end when its task is cancelled.
  /// - Returns: A handle for conditions and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func service(
    _ name: String, _ traits: PebbleTrait..., when condition: Condition = .always,
    teardown: (@Sendable () async throws -> Void)? = nil,
    _ body: @escaping @Sendable (ServiceReady) async throws -> Void
  ) -> Pebble<Void> {
    let options = PebbleOptions(traits, teardown: tearingDown(teardown), service: body)
    return Pebble(
      reference: definition.append(name, needs: nil, when: condition, options, .none()))
  }
}
