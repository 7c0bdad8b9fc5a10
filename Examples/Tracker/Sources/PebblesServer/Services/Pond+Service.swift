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
  /// One that is ready only later, such as a server once it listens, and one that takes inputs, is
  /// run by a body: see ``Pebbles/ServiceReady/run(_:logger:)``.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it; not empty, and unique in the pond.
  ///   - service: What to run. On shutdown it is shut down gracefully, and cancelled after its
  ///     `.stopWithin`.
  ///   - traits: What else the service is given.
  ///   - condition: Decides whether and when the service starts; at once if not given.
  ///   - logger: Told what the group around the service does.
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
