import Hummingbird
import Pebbles

/// What `/health/ready` answers.
struct Readiness: ResponseEncodable {
  let isReady: Bool
  let phase: RunStatus.Phase
  let settled: Int
  let total: Int

  /// What the boot is at, as words: `migrate: running since 12.3 ms, attempt 2`.
  let underWay: [String]

  init(_ status: RunStatus, isReady: Bool) {
    self.isReady = isReady
    phase = status.phase
    settled = status.settled
    total = status.total
    let going = status.pebbles.filter { $0.state.kind == .ready || $0.state.kind == .running }
    underWay = going.map { "\($0.name): \($0.state)" }
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
///   - isReady: Whether the service itself agrees.
public func addHealthRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, run: Run,
  isReady: @escaping @Sendable () -> Bool = { true }
) {
  router.get("/health/live") { _, _ in HTTPResponse.Status.ok }
  router.get("/health/ready") { request, context in
    let status = run.status
    let readiness = Readiness(status, isReady: status.phase == .over && isReady())
    var response = try context.responseEncoder.encode(readiness, from: request, context: context)
    response.status = readiness.isReady ? .ok : .serviceUnavailable
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
