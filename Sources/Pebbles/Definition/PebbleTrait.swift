/// An optional property of a pebble, such as a timeout, a retry policy, or a key that only one
/// pebble may hold at a time.
///
/// Traits follow the name, as in Swift Testing, and are the same for pebbles, services, callbacks
/// and clusters:
///
/// ```swift
/// pond.pebble("loadCores", .timeout(.seconds(5)), .retry(.attempts(4))) { try await api.cores() }
/// pond.service("database", .priority(1), .ending(.ignore)) { ready in … }
/// ```
///
/// A team can bundle the traits that it often uses together, and give the bundle a name:
///
/// ```swift
/// extension PebbleTrait {
///   static var networkCall: Self { .traits(.timeout(.seconds(3)), .retry(.attempts(4))) }
/// }
/// pond.pebble("loadCores", .networkCall) { try await api.cores() }
/// ```
///
/// If a pebble has several traits of one kind, the last one applies, so a trait after a bundle
/// replaces a trait of the same kind in the bundle. In contrast, all traits of the kinds
/// ``uses(_:_:of:)``, ``exclusive(_:)``, ``enabled(_:)``, ``stopsBefore(_:)`` and
/// ``restartsWith(_:)`` apply together.
/// Invalid traits, such as a negative timeout, are faults. So are traits that do not fit the
/// pebble, such as ``ending(_:)`` for a pebble that is not a service.
/// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` throws faults in a
/// ``PondError``.
public struct PebbleTrait: Sendable {
  private let change: @Sendable (inout PebbleTraits) -> Void

  init(_ change: @escaping @Sendable (inout PebbleTraits) -> Void) {
    self.change = change
  }

  func apply(to traits: inout PebbleTraits) { change(&traits) }
}

extension PebbleTrait {
  /// Combines several traits into one, in the given order.
  ///
  /// - Parameter traits: The traits of the bundle, which can be bundles themselves.
  /// - Returns: The bundle.
  public static func traits(_ traits: PebbleTrait...) -> PebbleTrait { .traits(traits) }

  /// Combines the traits in an array into one, in the order of the array. Use this overload for
  /// traits that are computed at run time.
  ///
  /// - Parameter traits: The traits of the bundle, which can be bundles themselves.
  /// - Returns: The bundle.
  public static func traits(_ traits: [PebbleTrait]) -> PebbleTrait {
    PebbleTrait { given in
      for trait in traits { trait.apply(to: &given) }
    }
  }

  /// Limits the duration of each attempt or, for a service, the time until it is ready.
  ///
  /// When the time runs out, the attempt fails with ``PebbleTimeout``, even if the body ignores
  /// cancellation.
  ///
  /// - Parameter limit: The maximum time, which must be longer than zero. Each attempt of a retried
  ///   pebble has the full time.
  /// - Returns: The trait.
  public static func timeout(_ limit: Duration) -> PebbleTrait {
    PebbleTrait { $0.timeout = limit }
  }

  /// Calls a failed body again, according to a policy. A service is retried only if it fails before
  /// it is ready.
  ///
  /// - Parameter policy: The policy, such as `.attempts(4)` or
  ///   `.backoff(attempts: 5, initial: .seconds(1))`.
  /// - Returns: The trait.
  public static func retry(_ policy: RetryPolicy) -> PebbleTrait {
    PebbleTrait { $0.retry = policy }
  }

  /// Prevents pebbles with the same key from running at the same time in one run.
  ///
  /// - Parameter key: The key, which must not be empty. A key and a resource of the same name are
  ///   independent.
  /// - Returns: The trait.
  public static func exclusive(_ key: String) -> PebbleTrait {
    PebbleTrait { $0.uses.append(.exclusive(key)) }
  }

  /// Holds units of a named resource while the pebble runs or, for a service, until it is ready.
  ///
  /// ```swift
  /// pond.pebble("loadUsers", .uses("connections", of: 4)) { … }
  /// pond.pebble("loadOrders", .uses("connections")) { … }
  /// pond.pebble("reindex", .uses("connections", 4)) { … }
  /// ```
  ///
  /// A resource is only a count, not an object. The pond ensures that the pebbles of a run never
  /// hold more units than exist, but it does not provide the connections themselves. At least one
  /// pebble must state the capacity; if several do, they must agree. Each run has its own count.
  ///
  /// A ready pebble waits until everything that it uses is free at the same time, and holds nothing
  /// while it waits. A pebble that comes later in the order of priority cannot overtake it if both
  /// use the same resource. In the example above, `reindex` gets its four connections even if there
  /// are always other pebbles that need only one.
  ///
  /// - Parameters:
  ///   - resource: The name of the resource in the pond, which must not be empty.
  ///   - units: The number of units that the pebble holds: at least 1, and at most the capacity.
  ///     Several uses of one resource by one pebble add up.
  ///   - capacity: The number of units that exist, at least 1; `nil` if another pebble of the pond
  ///     states it.
  /// - Returns: The trait.
  public static func uses(
    _ resource: String, _ units: Int = 1, of capacity: Int? = nil
  ) -> PebbleTrait {
    PebbleTrait { $0.uses.append(.resource(resource, capacity: capacity, units: units)) }
  }

  /// Starts the pebble before ready pebbles of lower priority.
  ///
  /// - Parameter priority: The priority; 0 for pebbles without this trait.
  /// - Returns: The trait.
  public static func priority(_ priority: Int) -> PebbleTrait {
    PebbleTrait { $0.priority = priority }
  }

  /// Decides at the start of each run whether the pebble takes part in it.
  ///
  /// ```swift
  /// pond.pebble("loadBetaNews", .enabled { flags.beta }) { … }
  /// ```
  ///
  /// - Parameter isEnabled: A closure that returns whether the pebble takes part. It is called at
  ///   most once per run, at the start of the run, even if the trait belongs to a cluster of many
  ///   pebbles. If the closure returns `false`, the pebble is skipped with
  ///   ``SkipReason/disabled``, and the conditions of other pebbles can depend on this skip. The
  ///   closure must be quick and must not block.
  /// - Returns: The trait.
  public static func enabled(_ isEnabled: @escaping @Sendable () -> Bool) -> PebbleTrait {
    let activation = Activation(isEnabled)
    return PebbleTrait { $0.activations.append(activation) }
  }

  /// The trait of a pebble whose body blocks its thread. The body runs on one of a few separate
  /// threads, so that it does not block a thread of the concurrency pool.
  ///
  /// ```swift
  /// let schema = pond.pebble("loadSchema", .blocking) { try Data(contentsOf: schemaURL) }
  /// ```
  public static let blocking = PebbleTrait { $0.isBlocking = true }

  /// Runs the body on an executor instead of the concurrency pool.
  ///
  /// - Parameter executor: The executor on which the body runs.
  /// - Returns: The trait.
  public static func executor(_ executor: any TaskExecutor) -> PebbleTrait {
    PebbleTrait { $0.executor = executor }
  }

  /// Determines what happens when a service ends by itself after it was ready. This trait is for
  /// services and clusters; in a cluster, it applies to the services.
  ///
  /// - Parameter ending: The effect of the end; ``ServiceEnding/shutDown`` for services without
  ///   this trait.
  /// - Returns: The trait.
  public static func ending(_ ending: ServiceEnding) -> PebbleTrait {
    PebbleTrait { $0.ending = ending }
  }

  /// Limits the time in which a service may end by itself after it is asked to stop. When the time
  /// runs out, the task of the service is cancelled. This trait is for services and clusters; in a
  /// cluster, it applies to the services.
  ///
  /// ```swift
  /// pond.service("http", .stopWithin(.seconds(10))) { ready in
  ///   …
  ///   await ready.stopRequested()
  ///   try await server.drain()
  /// }
  /// ```
  ///
  /// After the cancellation, the service is given the same amount of time again. If it is still
  /// running after that, the shutdown no longer waits for it. A service without this trait is
  /// cancelled at once, and the shutdown waits until the service ends. If the shutdown has a
  /// deadline, each of these waits takes at most half of the remaining time. This leaves some time
  /// for the pebbles that are torn down afterwards.
  ///
  /// - Parameter limit: The time in which the service may end by itself, which must be longer than
  ///   zero.
  /// - Returns: The trait.
  public static func stopWithin(_ limit: Duration) -> PebbleTrait {
    PebbleTrait { $0.stopWithin = limit }
  }

  /// Stops a service before the given pebbles are torn down, no matter which of them started first.
  /// This trait is for services and clusters; in a cluster, it applies to the services.
  ///
  /// A run is torn down in the reverse of the order in which pebbles enabled each other. Consider a
  /// server that listens from the start, to report that the boot is still in progress. Without this
  /// trait, it would stop last, although its requests use the database:
  ///
  /// ```swift
  /// let http = pond.service("http", .stopsBefore(.named("database"))) { ready in … }
  /// let database = pond.pebble("database", when: http.succeeded, teardown: { … }) { … }
  /// ```
  ///
  /// It is a fault of the pond if services form a cycle in which each must stop before the next.
  ///
  /// - Parameter pebbles: Pebbles of the pond, by handle or by name; inside a cluster, by their
  ///   name in the cluster.
  /// - Returns: The trait.
  public static func stopsBefore(_ pebbles: any PebbleIdentifying...) -> PebbleTrait {
    let pebbles = pebbles.map(\.pebbleID)
    return PebbleTrait { $0.stopsBefore += pebbles }
  }

  /// Restarts a service whenever one of the given services restarts. Use this trait if the service
  /// cannot keep using the output that a given service had before its restart. The trait is only
  /// for services.
  ///
  /// ```swift
  /// let database: Pebble<Database> = pond.service("database", .ending(.restart(.attempts(5)))) {
  ///   ready in …
  /// }
  /// pond.service("http", .restartsWith(database), needs: database) { ready, database in … }
  /// ```
  ///
  /// Suppose that `database` ends by itself and is to be called again. First, the services that
  /// restart with it, directly or through other services, are stopped in the order of a shutdown.
  /// They are asked to stop, cancelled after their ``stopWithin(_:)``, and torn down. Then the
  /// output of `database` is torn down and its body is called again. Finally, the other services
  /// are restarted in the reverse order, with the new output. None of them is restarted more than
  /// once.
  ///
  /// A service that is stopped in this way has not failed, and its stop does not count as an
  /// attempt for its ``retry(_:)`` or ``ending(_:)``. The same is true if the service ends while
  /// `database` is down. A service that is still starting is called again. A service that restarts
  /// with several others waits for all of them. After a service is cancelled, it is given the time
  /// of its ``stopWithin(_:)`` again. If it is still running after that, it fails with
  /// ``ServiceError/didNotStop``, and the restart no longer waits for it. If `database` stays down,
  /// the services stay stopped, and only `database` counts as a failure. A service that has
  /// returned, as its ``ServiceEnding/mayEnd`` allows, is not called again. While a run is being
  /// shut down, no service is stopped for a restart.
  ///
  /// A service can restart with the services whose outputs it takes (`needs:`), directly or through
  /// other services that also restart with them. The following are faults of the pond:
  ///
  /// - The service takes the output of a given service only through a pebble that does not restart
  ///   with the given service, such as a plain pebble. The service would keep the old output.
  /// - Services restart with each other in a cycle.
  /// - One of the given services is never restarted.
  ///
  /// - Parameter services: Services of the pond, by handle or by name; inside a cluster, by their
  ///   name in the cluster.
  /// - Returns: The trait.
  public static func restartsWith(_ services: any PebbleIdentifying...) -> PebbleTrait {
    let services = services.map(\.pebbleID)
    return PebbleTrait { $0.restartsWith += services }
  }
}

// Newcomers often try these. The compiler's message shows which argument to use instead.
extension PebbleTrait {
  /// Explains that a condition is an argument, not a trait.
  @available(
    *, unavailable,
    message: "a condition is an argument behind the traits: pebble(\"name\", when: condition)"
  )
  public static func when(_ condition: Condition) -> PebbleTrait { .traits() }

  /// Explains that a teardown is an argument, not a trait.
  @available(
    *, unavailable,
    message: "a teardown is an argument behind the traits: pebble(\"name\", teardown: { … })"
  )
  public static func teardown(
    _ teardown: @escaping @Sendable (Any) async throws -> Void
  ) -> PebbleTrait {
    .traits()
  }
}
