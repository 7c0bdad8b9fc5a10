/// A value that a service uses to report that it is ready, and to wait for the request to stop.
///
/// Once the service is ready, it calls the value like a function, passing its output.
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

  /// Creates an instance outside of any run, for testing the body of a service.
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
  /// With this instance, the service is never asked to stop. To test how it stops, use
  /// ``makeStoppable(_:)``.
  ///
  /// - Parameter ready: A closure that is called with the output when the instance is called for
  ///   the first time.
  public init(_ ready: @escaping @Sendable (Output) -> Void) {
    self.init(stop: Promise(), ready)
  }

  /// Creates an instance outside of any run, for testing how a service stops.
  ///
  /// - Parameter ready: A closure that is called with the output when the instance is called for
  ///   the first time.
  /// - Returns: The instance to pass to the body, and a function that asks the body to stop.
  public static func makeStoppable(
    _ ready: @escaping @Sendable (Output) -> Void
  ) -> (ready: ServiceReady, requestStop: @Sendable () -> Void) {
    let stop = Promise<Void>()
    return (ServiceReady(stop: stop, ready), { stop.fulfill(()) })
  }

  /// Reports that the service is ready, so that its pebble succeeds. Only the first call has an
  /// effect.
  ///
  /// - Parameter output: The output, which is passed to the teardown, and to pebbles that take it
  ///   as an input.
  public func callAsFunction(_ output: Output) {
    if isReady.fulfill(()) { ready(output) }
  }

  /// Waits until the run asks the service to stop, or until the waiting task is cancelled.
  ///
  /// After the request, the service is cancelled if it does not end by itself within the time that
  /// ``PebbleTrait/stopWithin(_:)`` allows. Without that trait, it is cancelled at once. Any number
  /// of tasks can wait, any number of times.
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
  /// Reports that a service without an output is ready, so that its pebble succeeds. Only the first
  /// call has an effect.
  public func callAsFunction() {
    callAsFunction(())
  }
}
