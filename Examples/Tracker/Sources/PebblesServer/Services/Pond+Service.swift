import Logging
import Pebbles
import ServiceLifecycle

extension Pond {
  /// Adds a service of swift-service-lifecycle as a pebble that is ready as soon as it runs.
  ///
  /// ```swift
  /// pond.service("metrics", exporter, .stopWithin(.seconds(5)), logger: logger)
  /// ```
  ///
  /// For a service that is ready later, such as a server once it listens, or that takes inputs, use
  /// a body: see ``Pebbles/ServiceReady/run(_:logger:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble; not empty, and unique in the pond.
  ///   - service: The service to run. On shutdown it is shut down gracefully, and cancelled after
  ///     its `.stopWithin`.
  ///   - traits: Further traits of the pebble.
  ///   - condition: The condition for the start of the service; at once by default.
  ///   - logger: The log of the group around the service.
  /// - Returns: A handle for conditions and reports.
  @discardableResult
  public func service(
    _ name: String, _ service: any Service, _ traits: PebbleTrait...,
    when condition: Condition = .always, logger: Logger
  ) -> Pebble<Void> {
    self.service(name, .traits(traits), when: condition) { ready in
      ready()
      try await ready.run(service, logger: logger)
    }
  }
}
