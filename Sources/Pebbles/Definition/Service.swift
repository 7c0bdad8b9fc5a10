/// What a service calls once it is ready. Calls after the first do nothing.
public struct ServiceReady: Sendable {
  private let isReady = Settlement<Void>()
  private let ready: @Sendable () -> Void

  /// One outside of any run, for the test of the body of a service.
  ///
  /// ```swift
  /// @Test func theServerIsReadyOnceItListens() async throws {
  ///   try await confirmation { isReady in
  ///     let ready = ServiceReady {
  ///       isReady()
  ///       server.stop()
  ///     }
  ///     try await server.run(whenListening: ready)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter ready: Called when it is called first; not at all, if it never is.
  public init(_ ready: @escaping @Sendable () -> Void) {
    self.ready = ready
  }

  /// Says that the service is ready: its pebble succeeds.
  public func callAsFunction() {
    if isReady.settle(()) { ready() }
  }
}

/// What it means when a service ends by itself after it was ready.
public struct ServiceEnding: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: String, Sendable {
    case ignore
    case shutDown
  }

  package let kind: Kind

  /// Nothing but an event.
  public static let ignore = ServiceEnding(kind: .ignore)

  /// The run is shut down: what is still booting is cancelled, and what has come up torn down.
  public static let shutDown = ServiceEnding(kind: .shutDown)

  /// Its name.
  public var description: String { kind.rawValue }
}

/// Why a service failed that threw no error.
///
/// More reasons may come with later versions.
public struct ServiceError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable {
    case endedBeforeReady
  }

  package let kind: Kind

  /// Its body returned without having said that it is ready.
  public static let endedBeforeReady = ServiceError(kind: .endedBeforeReady)

  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .endedBeforeReady: "it ended before it was ready"
    }
  }
}

/// The task of a service.
typealias ServiceBody = @Sendable (ServiceReady) async throws -> Void

/// What is called in the place of a body.
package typealias StandIn = nonisolated(nonsending) @Sendable () async throws -> Void

/// A service that does something, is ready then, and goes on until it is cancelled.
func serviceBody(startingWith start: @escaping StandIn) -> ServiceBody {
  { ready in
    try await start()
    ready()
    await untilCancelled()
  }
}

/// Suspends until the task is cancelled.
private func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}

extension ServiceError {
  /// Lets `catch ServiceError.endedBeforeReady` name the error, as that of an enum.
  public static func ~= (match: ServiceError, error: any Error) -> Bool {
    error as? ServiceError == match
  }
}
