import Logging
import Pebbles
import ServiceLifecycle

extension Pond {
  /// Adds a swift-service-lifecycle service as a pebble that is ready as soon as it runs.
  ///
  /// ```swift
  /// pond.service("metrics", exporter, .stopWithin(.seconds(5)), logger: logger)
  /// ```
  ///
  /// If the service takes inputs, or is not ready immediately after its start, like a server that
  /// must first listen, use a body instead. See ``Pebbles/ServiceReady/run(_:logger:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble; not empty, and unique in the pond.
  ///   - service: The service to run. On shutdown, the service is shut down gracefully. It is
  ///     cancelled once the time limit of `.stopWithin` has passed, or immediately without that
  ///     trait.
  ///   - traits: Further traits of the pebble.
  ///   - condition: The condition for starting the service. By default, it starts immediately.
  ///   - logger: The logger of the service group in which the service runs.
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
