/// What a service calls once it is ready, with its output, and where it learns that it is to stop.
///
/// ```swift
/// let http: Pebble<Server> = pond.service("http", .stopWithin(.seconds(10))) { ready in
///   let server = try await Server.listening(on: 8080)
///   ready(server)
///   await ready.stopRequested()
///   await server.drain()
/// }
/// ```
public struct ServiceReady<Output: Sendable>: Sendable {
  private let isReady = Settlement<Void>()
  private let stop: Settlement<Void>
  private let ready: @Sendable (Output) -> Void

  init(stop: Settlement<Void>, _ ready: @escaping @Sendable (Output) -> Void) {
    self.stop = stop
    self.ready = ready
  }

  /// One outside of any run, for the test of the body of a service.
  ///
  /// ```swift
  /// @Test func theServerIsReadyOnceItListens() async throws {
  ///   try await confirmation { isReady in
  ///     let ready = ServiceReady<Void> {
  ///       isReady()
  ///       server.stop()
  ///     }
  ///     try await server.run(whenListening: ready)
  ///   }
  /// }
  /// ```
  ///
  /// It is never asked to stop; ``makeStoppable(_:)`` makes one that can be.
  ///
  /// - Parameter ready: Called when it is called first; not at all, if it never is.
  public init(_ ready: @escaping @Sendable (Output) -> Void) {
    self.init(stop: Settlement(), ready)
  }

  /// One outside of any run, for the test of how a service stops.
  ///
  /// - Parameter ready: Called when it is called first.
  /// - Returns: What the body is handed, and what asks it to stop.
  public static func makeStoppable(
    _ ready: @escaping @Sendable (Output) -> Void
  ) -> (ready: ServiceReady, requestStop: @Sendable () -> Void) {
    let stop = Settlement<Void>()
    return (ServiceReady(stop: stop, ready), { stop.settle(()) })
  }

  /// Says that the service is ready: its pebble succeeds. Calls after the first do nothing.
  ///
  /// - Parameter output: What other pebbles take as their input, and the teardown is handed.
  public func callAsFunction(_ output: Output) {
    if isReady.settle(()) { ready(output) }
  }

  /// Waits until the run asks the service to stop, or the waiting task is cancelled.
  ///
  /// The service then has the time of its ``PebbleTrait/stopWithin(_:)`` to end by itself; without
  /// that trait it is cancelled at once. Any number of tasks may wait, as often as they like.
  public func stopRequested() async {
    let first = Settlement<Void>()
    let wait = stop.whenSettled { first.settle($0) }
    defer { stop.forget(wait) }
    await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.settle(())
    }
  }

  /// Whether the run has asked the service to stop.
  public var isStopRequested: Bool { stop.settled != nil }
}

extension ServiceReady where Output == Void {
  /// Says that the service is ready: its pebble succeeds. Calls after the first do nothing.
  public func callAsFunction() {
    callAsFunction(())
  }
}
