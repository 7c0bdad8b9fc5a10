/// The effect on the run when a service ends by itself, after it was ready and before it was asked
/// to stop.
///
/// The end counts as a failure of the run in ``Report/check()``, in the printed report, in
/// ``RunStatus/phase`` and in ``Report/exitCode``. There are three exceptions: the service is
/// successfully restarted; it has returned, and ``mayEnd`` allows this; or it ends while a service
/// with which it restarts is down. The end also counts as a failure of the enclosing runs, but does
/// not shut them down; see ``PebbleRecord/servicesDownInside``.
public struct ServiceEnding: Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    case ignore
    case shutDown
    case restart(RetryPolicy, resetAfter: Duration)
  }

  package let kind: Kind

  /// Whether the body is allowed to return. If it is, returning does not count as a failure.
  package let mayReturn: Bool

  private init(kind: Kind, mayReturn: Bool = false) {
    self.kind = kind
    self.mayReturn = mayReturn
  }

  /// An ending after which the run continues without the service.
  public static let ignore = ServiceEnding(kind: .ignore)

  /// An ending that shuts the run down: everything that is still booting is cancelled, and
  /// everything that has started is torn down.
  public static let shutDown = ServiceEnding(kind: .shutDown)

  /// An ending for a service that may return, such as an import alongside other pebbles, or a
  /// server that finishes when its last client disconnects.
  ///
  /// It is not a failure if the body returns after the service was ready. The run continues, even
  /// if no other service is left: a run that waits for a signal goes on waiting. The output of the
  /// service is torn down when the run is shut down. If the body throws, the service has failed,
  /// and the run is shut down.
  public static let mayEnd = mayEnd(otherwise: .shutDown)

  /// Returns an ending like ``mayEnd``, except that the given ending applies if the body throws.
  ///
  /// ```swift
  /// pond.service("import", .ending(.mayEnd(otherwise: .restart(.attempts(3))))) { ready in … }
  /// ```
  ///
  /// - Parameter ending: The effect if the body throws.
  /// - Returns: The ending.
  public static func mayEnd(otherwise ending: ServiceEnding) -> ServiceEnding {
    ServiceEnding(kind: ending.kind, mayReturn: true)
  }

  /// Returns an ending after which the body is called again, as often as a policy allows. When no
  /// attempts are left, the run is shut down.
  ///
  /// ```swift
  /// pond.service("consumer", .ending(.restart(.backoff(attempts: 5, initial: .seconds(1))))) {
  ///   ready in …
  /// }
  /// ```
  ///
  /// Before each restart, the output of the service is torn down; ``PebbleTrait/stopWithin(_:)``
  /// does not limit this teardown. If a pebble takes the output but has not started, it waits while
  /// the service is down, and receives the latest output. Pebbles that have already taken the
  /// output keep it; services among them are also called again if they have
  /// ``PebbleTrait/restartsWith(_:)``. The report keeps the first output. Every restart is an event
  /// (``RunEvent/Kind/serviceRestarted``) and is recorded in ``PebbleRecord/restarts``.
  ///
  /// A service that is called again must become ready within its ``PebbleTrait/timeout(_:)``. A
  /// failure before it is ready counts like any other end of the service. The restarted service
  /// holds no resources or exclusive keys, because it released them when it was first ready.
  ///
  /// - Parameters:
  ///   - policy: The policy that determines when and how often to restart. The call that ended
  ///     counts as the first attempt: `.attempts(4)` restarts the service three times.
  ///   - time: The time during which the service must stay ready before its attempt count is reset.
  /// - Returns: The ending.
  public static func restart(
    _ policy: RetryPolicy, resetAfter time: Duration = .seconds(60)
  ) -> ServiceEnding {
    ServiceEnding(kind: .restart(policy, resetAfter: time))
  }

  /// The name of the ending.
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

  /// The faults of the ending, worded to follow the pebble's name in a sentence:
  /// `"cannot be restarted: …"`.
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

/// An error indicating that a service failed without throwing an error.
///
/// Later versions may add errors.
@nonexhaustive public enum ServiceError: Error, CustomStringConvertible {
  /// An error indicating that the body of a service returned without calling `ready`.
  case endedBeforeReady

  /// An error indicating that the body of a service returned after the service was ready, although
  /// the service had not been asked to stop.
  case ended

  /// An error indicating that a service was asked to stop, was then cancelled, and still kept
  /// running. Shutdowns and restarts no longer wait for this service. Everything that the service
  /// opened is torn down when the service ends.
  case didNotStop

  /// An error indicating that a service needs the output of another service, but the other service
  /// has ended permanently.
  case staysDown

  /// The error as a clause, such as `it ended before it was ready`.
  public var description: String {
    switch self {
    case .staysDown: "a service whose output it takes has ended and is not called again"
    case .didNotStop: "it did not stop, although it was asked to and then cancelled"
    case .endedBeforeReady: "it ended before it was ready"
    case .ended: "it ended without having been asked to"
    }
  }
}

/// One type-erased call to the body of a service.
struct ServiceCall: Sendable {
  /// A promise of the output, fulfilled once the service has reported that it is ready.
  let ready = Promise<AnyOutput?>()

  /// A promise that is fulfilled once the run asks the service to stop.
  let stop: Promise<Void>
}

/// The type-erased body of a service.
typealias ServiceBody = @Sendable (ServiceCall, BodyInputs) async throws -> Void

/// A function that is called in place of a body.
package typealias StandIn = nonisolated(nonsending) @Sendable () async throws -> Void

/// Returns a service body that calls `start`, reports that the service is ready, and then waits
/// until the service is asked to stop.
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

/// Returns the type-erased body of a service. The given body receives a value that it calls when
/// the service is ready.
@inline(__always)
func serviceBody<Output: Sendable>(
  _ body: @escaping @Sendable (ServiceReady<Output>, BodyInputs) async throws -> Void
) -> ServiceBody {
  { call, inputs in
    let ready = ServiceReady<Output>(stop: call.stop) { call.ready.fulfill(OutputBox($0)) }
    try await body(ready, inputs)
  }
}
