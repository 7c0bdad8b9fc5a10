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
  /// (``RunEvent/Kind/serviceEnded(_:_:)``) and, unless `ending` says otherwise, shuts the run
  /// down. Limits hold until the service is ready.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - condition: Decides whether and when the service starts; at once if not given.
  ///   - isEnabled: Asked once at the start of each run; if it returns `false` the service is
  ///     skipped with ``SkipReason/disabled``. It must be quick.
  ///   - timeout: How long it may take to be ready.
  ///   - retry: Whether, and when, a body that failed before it was ready is called again.
  ///   - key: Pebbles with the same key never start at the same time in one run.
  ///   - resources: What the service holds until it is ready.
  ///   - priority: Among pebbles that are ready, those of higher priority start first.
  ///   - executor: Where the body runs; on the concurrency pool if not given.
  ///   - ending: What it means when the body ends by itself after it was ready.
  ///   - teardown: Called once the body has ended because of a shutdown.
  ///   - body: The service. It must end when its task is cancelled.
  /// - Returns: A handle for conditions and reports.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public func service(
    _ name: String, when condition: Condition = .always,
    enabled isEnabled: (@Sendable () -> Bool)? = nil, timeout: Duration? = nil,
    retry: RetryPolicy? = nil, exclusive key: String? = nil, uses resources: ResourceUse...,
    priority: Int = 0, executor: (any TaskExecutor)? = nil,
    ending: ServiceEnding = .shutdown, teardown: (@Sendable () async throws -> Void)? = nil,
    _ body: @escaping @Sendable (ServiceReady) async throws -> Void
  ) -> Pebble<Void> {
    let options = PebbleOptions(
      isEnabled: isEnabled, timeout: timeout, retry: retry, exclusive: key, uses: resources,
      priority: priority, executor: executor,
      teardown: tearingDown(teardown),
      service: ServiceOptions(ending: ending, body: body))
    return Pebble(
      reference: definition.append(name, needs: nil, when: condition, options, .none()))
  }
}
