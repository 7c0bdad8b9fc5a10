import Logging
import Pebbles
import ServiceLifecycle
import Tracing

extension ServiceReady {
  /// Runs a service of swift-service-lifecycle until it ends or the pond's run asks it to stop.
  ///
  /// ```swift
  /// pond.service("http", .stopWithin(.seconds(10)), needs: settings) { ready, settings in
  ///   try await ready.run(
  ///     Application(router: router, onServerRunning: { _ in ready() }), logger: logger)
  /// }
  /// ```
  ///
  /// Asked to stop, the service is shut down gracefully: a server lets nobody in and answers those
  /// that it has. After its `.stopWithin` it is cancelled, which servers take for "drop
  /// everything"; without that trait, that is at once. It does not say that the service is ready:
  /// the service itself knows when.
  ///
  /// What the service does belongs to no span of the boot, so that its requests, hours later, are
  /// not the children of one.
  ///
  /// - Parameters:
  ///   - service: What to run.
  ///   - logger: Told what the group around the service does.
  /// - Throws: What the service throws.
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
