import Foundation
import Hummingbird
import Pebbles

/// What a service says of itself when it is asked whether it is ready.
public struct ServiceState: Sendable, Hashable {
  /// Whether the service agrees to be sent requests.
  public var isReady: Bool

  /// What there is to say of it, ready or not: the root cause, where something is wrong.
  public var says: String?

  /// Makes a state.
  ///
  /// - Parameters:
  ///   - isReady: Whether the service agrees to be sent requests.
  ///   - says: What there is to say of it.
  public init(isReady: Bool, says: String? = nil) {
    self.isReady = isReady
    self.says = says
  }
}

/// What `/health/ready` answers.
struct Readiness: Encodable {
  let isReady: Bool

  /// What the service says of itself, such as the root cause if it is not ready.
  let says: String?
  let phase: RunStatus.Phase
  let settled: Int
  let total: Int

  /// What the boot is at, as words: `migrate: running for 2.0 s, attempt 2`.
  let underWay: [String]

  init(_ status: RunStatus, _ service: ServiceState) {
    isReady = status.phase == .over && service.isReady
    // What a service says that is being shut down was true before.
    says = [.shuttingDown, .shutDown].contains(status.phase) ? nil : service.says
    phase = status.phase
    settled = status.settled
    total = status.total
    let going = status.pebbles.filter { $0.state.kind == .ready || $0.state.kind == .running }
    underWay = going.map { "\($0.name): \($0.state.text(at: status.elapsed))" }
  }
}

extension RunStatus.State {
  /// The state in some words, for those who do not know when the run began.
  ///
  /// - Parameter elapsed: How long the run had taken then.
  /// - Returns: Such as `running for 2.0 s, attempt 2`.
  fileprivate func text(at elapsed: Duration) -> String {
    guard let since, let attempt else { return "\(self)" }
    return "running for \((elapsed - since).brief), attempt \(attempt)"
  }
}

/// Adds what an orchestrator asks: `/health/live`, whether the process is to be left alone, and
/// `/health/ready`, whether to send it requests.
///
/// The first is 200 as long as there is anybody to answer, also in a boot that takes long. The
/// second is 200 once the boot is over and went well, and 503 before, after a failure that nobody
/// handled, and from the moment of a shutdown on; its body says what the boot is at.
///
/// - Parameters:
///   - router: Where to.
///   - run: The run asked about: in the body of a pebble, `PebbleContext.current?.run`.
///   - service: What the service says of itself; if not given, that it is ready.
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
