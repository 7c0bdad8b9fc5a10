/// Something optional about a pebble: how long it may take, how often it is tried again, what it
/// must not run beside.
///
/// Traits are written behind the name, as in Swift Testing, and are the same for pebbles, services,
/// callbacks and clusters:
///
/// ```swift
/// pond.pebble("loadCores", .timeout(.seconds(5)), .retry(.attempts(4))) { try await api.cores() }
/// pond.service("database", .priority(1), .ending(.ignore)) { ready in … }
/// ```
///
/// What a team gives again and again it bundles under a name of its own:
///
/// ```swift
/// extension PebbleTrait {
///   static var networkCall: Self { .traits(.timeout(.seconds(3)), .retry(.attempts(4))) }
/// }
/// pond.pebble("loadCores", .networkCall) { try await api.cores() }
/// ```
///
/// Of several traits of one kind the last counts, so a trait behind a bundle replaces that of the
/// bundle; ``uses(_:_:of:)``, ``exclusive(_:)``, ``enabled(_:)``,
/// ``stopsBefore(_:)`` and ``restartsWith(_:)`` add up. A trait that cannot be meant, such as a
/// negative timeout, or that makes no sense for a pebble, such as ``ending(_:)`` for one that is no
/// service, is a fault: ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` throws
/// it in a ``PondError``.
public struct PebbleTrait: Sendable {
  private let change: @Sendable (inout PebbleTraits) -> Void

  init(_ change: @escaping @Sendable (inout PebbleTraits) -> Void) {
    self.change = change
  }

  func apply(to traits: inout PebbleTraits) { change(&traits) }
}

extension PebbleTrait {
  /// Several traits as one, in this order.
  ///
  /// - Parameter traits: What the bundle consists of; bundles as well.
  /// - Returns: The bundle.
  public static func traits(_ traits: PebbleTrait...) -> PebbleTrait { .traits(traits) }

  /// Several traits as one, in this order, for traits that are put together by a program.
  ///
  /// - Parameter traits: What the bundle consists of; bundles as well.
  /// - Returns: The bundle.
  public static func traits(_ traits: [PebbleTrait]) -> PebbleTrait {
    PebbleTrait { given in
      for trait in traits { trait.apply(to: &given) }
    }
  }

  /// How long an attempt may take; a service, until it is ready.
  ///
  /// After that the pebble fails with ``PebbleTimeout``, even if the body ignores cancellation.
  ///
  /// - Parameter limit: Longer than zero. Each attempt of a pebble that is tried again has all of
  ///   it.
  /// - Returns: The trait.
  public static func timeout(_ limit: Duration) -> PebbleTrait {
    PebbleTrait { $0.timeout = limit }
  }

  /// Whether, when and how often a failed body is called again; a service, as long as it has not
  /// been ready.
  ///
  /// - Parameter policy: Such as `.attempts(4)` or `.backoff(attempts: 5, initial: .seconds(1))`.
  /// - Returns: The trait.
  public static func retry(_ policy: RetryPolicy) -> PebbleTrait {
    PebbleTrait { $0.retry = policy }
  }

  /// Pebbles with the same key never run at the same time in one run.
  ///
  /// - Parameter key: Not empty. Keys and resources of one name are two things.
  /// - Returns: The trait.
  public static func exclusive(_ key: String) -> PebbleTrait {
    PebbleTrait { $0.uses.append(.exclusive(key)) }
  }

  /// What the pebble holds while it runs; a service, until it is ready: units of a named resource.
  ///
  /// ```swift
  /// pond.pebble("loadUsers", .uses("connections", of: 4)) { … }
  /// pond.pebble("loadOrders", .uses("connections")) { … }
  /// pond.pebble("reindex", .uses("connections", 4)) { … }
  /// ```
  ///
  /// A resource is not an object, only a count: the pond sees to it that the pebbles of a run never
  /// hold more units at a time than there are, and knows nothing of the connections themselves. At
  /// least one pebble says how many units there are; if several do, they must agree. Each run
  /// counts for itself.
  ///
  /// A ready pebble waits until all it uses is free at once, and holds nothing while it waits. On a
  /// resource they share, no pebble that comes after it in order of priority overtakes it: above,
  /// `reindex` gets its four connections even if there are always others that would do with one.
  ///
  /// - Parameters:
  ///   - resource: Tells the resources of a pond apart; not empty.
  ///   - units: How many units the pebble holds: at least 1, and at most the capacity. Several uses
  ///     of one resource by one pebble add up.
  ///   - capacity: How many units there are, at least 1. It may be left out where another pebble of
  ///     the pond gives it.
  /// - Returns: The trait.
  public static func uses(
    _ resource: String, _ units: Int = 1, of capacity: Int? = nil
  ) -> PebbleTrait {
    PebbleTrait { $0.uses.append(.resource(resource, capacity: capacity, units: units)) }
  }

  /// Among pebbles that are ready, those of higher priority start first.
  ///
  /// - Parameter priority: 0 for pebbles without this trait.
  /// - Returns: The trait.
  public static func priority(_ priority: Int) -> PebbleTrait {
    PebbleTrait { $0.priority = priority }
  }

  /// Whether the pebble takes part in a run.
  ///
  /// ```swift
  /// pond.pebble("loadBetaNews", .enabled { flags.beta }) { … }
  /// ```
  ///
  /// - Parameter isEnabled: Called once at most, at the start of each run, for a cluster as for one
  ///   pebble. If it returns `false` the pebble is skipped with ``SkipReason/disabled``, which
  ///   conditions of others may wait for. It must be quick and must not block.
  /// - Returns: The trait.
  public static func enabled(_ isEnabled: @escaping @Sendable () -> Bool) -> PebbleTrait {
    let activation = Activation(isEnabled)
    return PebbleTrait { $0.activations.append(activation) }
  }

  /// The body blocks its thread. It then runs on one of a few threads of their own, so that it does
  /// not take one from the concurrency pool.
  ///
  /// ```swift
  /// let schema = pond.pebble("loadSchema", .blocking) { try Data(contentsOf: schemaURL) }
  /// ```
  public static let blocking = PebbleTrait { $0.isBlocking = true }

  /// Where the body runs, instead of on the concurrency pool.
  ///
  /// - Parameter executor: An executor of the caller's.
  /// - Returns: The trait.
  public static func executor(_ executor: any TaskExecutor) -> PebbleTrait {
    PebbleTrait { $0.executor = executor }
  }

  /// What it means when a service ends by itself after it was ready. Only for services, and for
  /// clusters, where it is for the services among the pebbles.
  ///
  /// - Parameter ending: ``ServiceEnding/shutDown`` for services without this trait.
  /// - Returns: The trait.
  public static func ending(_ ending: ServiceEnding) -> PebbleTrait {
    PebbleTrait { $0.ending = ending }
  }

  /// How long a service that has been asked to stop may take to end by itself, before its task is
  /// cancelled. Only for services, and for clusters, where it is for the services among the
  /// pebbles.
  ///
  /// ```swift
  /// pond.service("http", .stopWithin(.seconds(10))) { ready in
  ///   …
  ///   await ready.stopRequested()
  ///   try await server.drain()
  /// }
  /// ```
  ///
  /// A service that goes on although it was cancelled is given up after as long again; one without
  /// this trait is waited for until it ends, or until the deadline of the shutdown. Where the
  /// shutdown has a deadline, both take no more than half of the time that is then left: so that
  /// there is some for what is torn down after it.
  ///
  /// - Parameter limit: Longer than zero. Services without this trait are cancelled at once.
  /// - Returns: The trait.
  public static func stopWithin(_ limit: Duration) -> PebbleTrait {
    PebbleTrait { $0.stopWithin = limit }
  }

  /// What must not be torn down before a service has stopped, whatever started first. Only for
  /// services, and for clusters, where it is for the services among the pebbles.
  ///
  /// A run is torn down in the reverse order of what enabled what. A server that listens from the
  /// start, so that it can say that the boot is not over, would stop last; but its requests use the
  /// database:
  ///
  /// ```swift
  /// let http = pond.service("http", .stopsBefore(.named("database"))) { ready in … }
  /// let database = pond.pebble("database", when: http.succeeded, teardown: { … }) { … }
  /// ```
  ///
  /// Services that stop before each other in a cycle are a fault of the pond.
  ///
  /// - Parameter pebbles: Pebbles of the pond, by handle or by name; inside of a cluster by the
  ///   name that they have there.
  /// - Returns: The trait.
  public static func stopsBefore(_ pebbles: any PebbleIdentifying...) -> PebbleTrait {
    let pebbles = pebbles.map(\.pebbleID)
    return PebbleTrait { $0.stopsBefore += pebbles }
  }

  /// Which services a service is called again with, because what it was handed is of no use any
  /// more. Only for services.
  ///
  /// ```swift
  /// let database: Pebble<Database> = pond.service("database", .ending(.restart(.attempts(5)))) {
  ///   ready in …
  /// }
  /// pond.service("http", .restartsWith(database), needs: database) { ready, database in … }
  /// ```
  ///
  /// If `database` ends by itself and is to be called again, the services that restart with it,
  /// directly or through each other, are stopped first: asked to and cancelled after their
  /// ``stopWithin(_:)``, and torn down, in the order of a shutdown. Then what `database` had handed
  /// over is torn down, it is called again, and after it they are, in the reverse order, each once,
  /// and with the new output. That is neither a failure of theirs nor an attempt of their
  /// ``retry(_:)`` or of their ``ending(_:)``, and neither is an end of one of them while
  /// `database` is down. One that is still starting starts anew; one that restarts with several
  /// waits for all of them. One that goes on although it was cancelled, and as long again as it had
  /// to stop, is given up and fails with ``ServiceError/didNotStop``. If `database` stays down they
  /// stay stopped, and it alone is the failure. One that has ended as it may
  /// (``ServiceEnding/mayEnd``) is left as it is. In a run that is being shut down nothing is
  /// stopped for a restart.
  ///
  /// A service restarts with those whose output it takes (`needs:`), directly or through services
  /// that restart with them too. To take it only through a plain pebble is a fault of the pond, for
  /// that would keep the old output; so are a cycle, and a service that is never restarted.
  ///
  /// - Parameter services: Services of the pond, by handle or by name; inside of a cluster by the
  ///   name that they have there.
  /// - Returns: The trait.
  public static func restartsWith(_ services: any PebbleIdentifying...) -> PebbleTrait {
    let services = services.map(\.pebbleID)
    return PebbleTrait { $0.restartsWith += services }
  }
}
