/// What it means when a service ends after it was ready without having been asked to.
///
/// Whatever it means, the service is then a failure of the run: in ``Report/check()``, in the
/// printed report, in ``RunStatus/phase`` and in ``Report/exitCode``; unless it could be restarted,
/// or has returned and ``mayEnd`` says that this is well. So it is of the runs that this one is
/// inside of, which are not shut down for that: see ``PebbleRecord/servicesDownInside``.
public struct ServiceEnding: Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    case ignore
    case shutDown
    case restart(RetryPolicy, resetAfter: Duration)
  }

  package let kind: Kind

  /// Whether a body that returns has ended well.
  package let mayReturn: Bool

  private init(kind: Kind, mayReturn: Bool = false) {
    self.kind = kind
    self.mayReturn = mayReturn
  }

  /// The run goes on without it.
  public static let ignore = ServiceEnding(kind: .ignore)

  /// The run is shut down: what is still booting is cancelled, and what has come up torn down.
  public static let shutDown = ServiceEnding(kind: .shutDown)

  /// A body that returns once it was ready has ended well: an import that others start beside, say,
  /// or a server that
  /// is done when its last client has left. The run goes on, and what it has handed over is torn
  /// down in its shutdown. One that throws has failed: the run is shut down.
  public static let mayEnd = mayEnd(otherwise: .shutDown)

  /// A body that returns has ended well, as with ``mayEnd``.
  ///
  /// ```swift
  /// pond.service("import", .ending(.mayEnd(otherwise: .restart(.attempts(3))))) { ready in … }
  /// ```
  ///
  /// - Parameter ending: What it means when the body throws.
  /// - Returns: The ending.
  public static func mayEnd(otherwise ending: ServiceEnding) -> ServiceEnding {
    ServiceEnding(kind: ending.kind, mayReturn: true)
  }

  /// The body is called again, as often as a policy says; then the run is shut down.
  ///
  /// ```swift
  /// pond.service("consumer", .ending(.restart(.backoff(attempts: 5, initial: .seconds(1))))) {
  ///   ready in …
  /// }
  /// ```
  ///
  /// Before each restart, the ``PebbleTrait/stopWithin(_:)`` aside, what the service had as its
  /// output is torn down. What starts later and takes its output waits while it is down, and is
  /// handed the latest one. Pebbles that took the output before keep it; services among them are
  /// called again as well if they say so, see ``PebbleTrait/restartsWith(_:)``. The report keeps
  /// the first output. Every restart is an event
  /// (``RunEvent/Kind/serviceRestarted``) and in ``PebbleRecord/restarts``. A body that is called
  /// again has the ``PebbleTrait/timeout(_:)`` of the service to be ready; if it fails before, that
  /// counts as another end. It holds none of what limits the pebble, such as a key: a service has
  /// given that back when it was ready first.
  ///
  /// - Parameters:
  ///   - policy: When and how often; the call that ended counts as its first attempt:
  ///     `.attempts(4)` restarts it three times.
  ///   - time: How long the service must have been ready for its ends to be counted anew.
  /// - Returns: The ending.
  public static func restart(
    _ policy: RetryPolicy, resetAfter time: Duration = .seconds(60)
  ) -> ServiceEnding {
    ServiceEnding(kind: .restart(policy, resetAfter: time))
  }

  /// Its name.
  public var description: String {
    let name =
      switch kind {
      case .ignore: "ignore"
      case .shutDown: "shutDown"
      case .restart: "restart"
      }
    guard mayReturn else { return name }
    return name == "shutDown" ? "mayEnd" : "mayEnd(otherwise: \(name))"
  }

  /// What is wrong with it, each a clause that follows the name of the pebble.
  var faults: [String] {
    switch kind {
    case .ignore, .shutDown: return []
    case .restart(let policy, let time):
      let faults = policy.faults.map { "cannot be restarted: \($0)" }
      return time >= .zero
        ? faults : faults + ["cannot be restarted: it resets after \(time); make that 0 or more"]
    }
  }
}

/// Why a service failed that threw no error.
///
/// More reasons may come with later versions.
public struct ServiceError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable {
    case endedBeforeReady
    case ended
    case didNotStop
    case staysDown
  }

  package let kind: Kind

  /// Its body returned without having said that it is ready.
  public static let endedBeforeReady = ServiceError(kind: .endedBeforeReady)

  /// Its body returned after it had been ready, without having been asked to stop.
  public static let ended = ServiceError(kind: .ended)

  /// It went on although it was asked to stop and then cancelled, so the shutdown, or the service
  /// that it restarts with, waits for it no longer. What it opened is torn down when it ends.
  public static let didNotStop = ServiceError(kind: .didNotStop)

  /// A service whose output it takes has ended, and is not called again.
  public static let staysDown = ServiceError(kind: .staysDown)

  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .staysDown: "a service whose output it takes has ended, and is not called again"
    case .didNotStop: "it goes on although it was asked to stop and then cancelled"
    case .endedBeforeReady: "it ended before it was ready"
    case .ended: "it ended without having been asked to"
    }
  }
}

extension ServiceError {
  /// Lets `catch ServiceError.endedBeforeReady` name the error, as that of an enum.
  public static func ~= (match: ServiceError, error: any Error) -> Bool {
    error as? ServiceError == match
  }
}

/// One call of the body of a service, with its types erased.
struct ServiceCall: Sendable {
  /// Given once the service has said that it is ready, with its output.
  let ready = Promise<AnyOutput?>()

  /// Given once the run asks the service to stop.
  let stop: Promise<Void>
}

/// The task of a service.
typealias ServiceBody = @Sendable (ServiceCall, BodyInputs) async throws -> Void

/// What is called in the place of a body.
package typealias StandIn = nonisolated(nonsending) @Sendable () async throws -> Void

/// A service that does something, is ready then, and goes on until it is asked to stop.
func serviceBody(
  startingWith start:
    nonisolated(nonsending) @escaping @Sendable (BodyInputs) async throws ->
    AnyOutput?
) -> ServiceBody {
  { call, inputs in
    call.ready.fulfill(try await start(inputs))
    await ServiceReady<Void>(stop: call.stop) { _ in }.stopRequested()
  }
}

/// The body of a service, which is handed what it calls once it is ready.
@inline(__always)
func serviceBody<Output: Sendable>(
  _ body: @escaping @Sendable (ServiceReady<Output>, BodyInputs) async throws -> Void
) -> ServiceBody {
  { call, inputs in
    let ready = ServiceReady<Output>(stop: call.stop) { call.ready.fulfill(OutputBox($0)) }
    try await body(ready, inputs)
  }
}
