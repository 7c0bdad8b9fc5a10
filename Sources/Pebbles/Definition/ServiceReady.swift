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
  private let isReady = Promise<Void>()
  private let stop: Promise<Void>
  private let ready: @Sendable (Output) -> Void

  init(stop: Promise<Void>, _ ready: @escaping @Sendable (Output) -> Void) {
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
    self.init(stop: Promise(), ready)
  }

  /// One outside of any run, for the test of how a service stops.
  ///
  /// - Parameter ready: Called when it is called first.
  /// - Returns: What the body is handed, and what asks it to stop.
  public static func makeStoppable(
    _ ready: @escaping @Sendable (Output) -> Void
  ) -> (ready: ServiceReady, requestStop: @Sendable () -> Void) {
    let stop = Promise<Void>()
    return (ServiceReady(stop: stop, ready), { stop.fulfill(()) })
  }

  /// Says that the service is ready: its pebble succeeds. Calls after the first do nothing.
  ///
  /// - Parameter output: What other pebbles take as their input, and the teardown is handed.
  public func callAsFunction(_ output: Output) {
    if isReady.fulfill(()) { ready(output) }
  }

  /// Waits until the run asks the service to stop, or the waiting task is cancelled.
  ///
  /// The service then has the time of its ``PebbleTrait/stopWithin(_:)`` to end by itself; without
  /// that trait it is cancelled at once. Any number of tasks may wait, as often as they like.
  public func stopRequested() async {
    let first = Promise<Void>()
    let wait = stop.whenFulfilled { first.fulfill($0) }
    defer { stop.forget(wait) }
    await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.fulfill(())
    }
  }

  /// Whether the run has asked the service to stop.
  public var isStopRequested: Bool { stop.fulfilled != nil }
}

extension ServiceReady where Output == Void {
  /// Says that the service is ready: its pebble succeeds. Calls after the first do nothing.
  public func callAsFunction() {
    callAsFunction(())
  }
}
