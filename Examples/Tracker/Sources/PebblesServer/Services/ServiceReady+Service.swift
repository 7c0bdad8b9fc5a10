import Logging
import Pebbles
import ServiceLifecycle
import Tracing

extension ServiceReady {
  /// Runs a service of swift-service-lifecycle until it ends or the run asks it to stop.
  ///
  /// ```swift
  /// pond.service("http", .stopWithin(.seconds(10)), needs: settings) { ready, settings in
  ///   try await ready.run(
  ///     Application(router: router, onServerRunning: { _ in ready() }), logger: logger)
  /// }
  /// ```
  ///
  /// When asked to stop, the service is shut down gracefully: a server accepts no more connections
  /// and answers the requests it has. After its `.stopWithin` it is cancelled, which makes servers
  /// drop everything; without that trait it is cancelled at once. This function does not mark the
  /// service as ready, because only the service knows when it is.
  ///
  /// The work of the service belongs to no span of the boot, so that its later requests are not
  /// children of one.
  ///
  /// - Parameters:
  ///   - service: The service to run.
  ///   - logger: The log of the group around the service.
  /// - Throws: The error of the service.
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
