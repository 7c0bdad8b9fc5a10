import Logging
import Pebbles
import ServiceLifecycle
import Tracing

extension ServiceReady {
  /// Runs a swift-service-lifecycle service until it ends or the run asks it to stop.
  ///
  /// ```swift
  /// pond.service("http", .stopWithin(.seconds(10)), needs: settings) { ready, settings in
  ///   try await ready.run(
  ///     Application(router: router, onServerRunning: { _ in ready() }), logger: logger)
  /// }
  /// ```
  ///
  /// When asked to stop, the service is shut down gracefully. For example, a server accepts no more
  /// connections, and answers the requests that it has received. Once the time limit of
  /// `.stopWithin` has passed, the service is cancelled, and servers drop all connections. Without
  /// that trait, it is cancelled immediately. This function does not mark the service as ready,
  /// because only the service itself knows when it is ready.
  ///
  /// The service runs outside the spans of the boot, so that the spans of its later requests are
  /// not children of the boot.
  ///
  /// - Parameters:
  ///   - service: The service to run.
  ///   - logger: The logger of the service group in which the service runs.
  /// - Throws: The error thrown by the service.
  public func run(_ service: any Service, logger: Logger) async throws {
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .cancelGroup)
        ], logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        await stopRequested()
        if isStopRequested { await group.triggerGracefulShutdown() }
      }
      defer { tasks.cancelAll() }
      try await ServiceContext.withValue(.topLevel) { try await group.run() }
    }
  }
}
