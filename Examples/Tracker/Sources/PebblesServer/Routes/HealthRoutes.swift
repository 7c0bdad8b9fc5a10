import Foundation
import Hummingbird
import Pebbles

/// The state that a service reports for readiness checks.
public struct ServiceState: Sendable, Hashable {
  /// Whether the service is ready to receive requests.
  public var isReady: Bool

  /// A remark by the service, such as the root cause of a problem; `nil` if there is none. A
  /// service that is ready may also make a remark.
  public var says: String?

  /// Creates a state.
  ///
  /// - Parameters:
  ///   - isReady: Whether the service is ready to receive requests.
  ///   - says: A remark by the service.
  public init(isReady: Bool, says: String? = nil) {
    self.isReady = isReady
    self.says = says
  }
}

/// The body of a response from `/health/ready`.
struct Readiness: Encodable {
  let isReady: Bool

  /// The remark by the service, such as the root cause if it is not ready; `nil` during and after
  /// a shutdown, when the remark is outdated.
  let says: String?
  let phase: RunStatus.Phase
  let settled: Int
  let total: Int

  /// Descriptions of the pebbles that are ready or running, such as
  /// `migrate: running for 2.0 s, attempt 2`.
  let underWay: [String]

  init(_ status: RunStatus, _ service: ServiceState) {
    isReady = status.phase == .over && service.isReady
    // The remark of a service that is being shut down is outdated.
    says = [.shuttingDown, .shutDown].contains(status.phase) ? nil : service.says
    phase = status.phase
    settled = status.settled
    total = status.total
    let going = status.pebbles.filter { $0.state.kind == .ready || $0.state.kind == .running }
    underWay = going.map { "\($0.name): \($0.state.text(at: status.elapsed))" }
  }
}

extension RunStatus.State {
  /// Returns a description of the state. For a running pebble, it includes the time since the body
  /// was first called.
  ///
  /// - Parameter elapsed: The time since the start of the run.
  /// - Returns: A description such as `running for 2.0 s, attempt 2`.
  fileprivate func text(at elapsed: Duration) -> String {
    guard let since, let attempt else { return "\(self)" }
    return "running for \((elapsed - since).brief), attempt \(attempt)"
  }
}

/// Adds health checks for orchestrators: `/health/live` reports whether the process is alive, and
/// `/health/ready` reports whether it can receive requests.
///
/// The status of `/health/live` is 200 as long as the process can answer, even during a long boot.
/// The status of `/health/ready` is 200 after a successful boot, while the service is ready.
/// Otherwise, it is 503: for example, before the boot has ended, after an unhandled failure, and
/// from the beginning of a shutdown. The body of `/health/ready` shows the state of the boot.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - run: The run to report on. In the body of a pebble, use `PebbleContext.current?.run`.
///   - service: A closure that returns the state of the service. By default, the service is always
///     ready.
public func addHealthRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, run: Run,
  service: @escaping @Sendable () -> ServiceState = { ServiceState(isReady: true) }
) {
  router.get("/health/live") { _, _ in HTTPResponse.Status.ok }
  router.get("/health/ready") { _, _ in
    let readiness = Readiness(run.status, service())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Response(
      status: readiness.isReady ? .ok : .serviceUnavailable,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(readiness))))
  }
}
