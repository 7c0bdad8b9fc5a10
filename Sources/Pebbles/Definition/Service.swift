/// What a service calls once it is ready. Calls after the first do nothing.
public struct ServiceReady: Sendable {
  private let settle: @Sendable () -> Void

  init(_ settle: @escaping @Sendable () -> Void) {
    self.settle = settle
  }

  /// Says that the service is ready: its pebble succeeds.
  public func callAsFunction() {
    settle()
  }
}

/// What it means when a service ends by itself after it was ready.
public enum ServiceEnding: Sendable, Hashable {
  /// Nothing but an event.
  case ignore

  /// The run is shut down: what is still booting is cancelled, and what has come up torn down.
  case shutDown
}

/// Why a service failed that threw no error.
public enum ServiceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Its body returned without having said that it is ready.
  case endedBeforeReady

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .endedBeforeReady: "it ended before it was ready"
    }
  }
}

/// The task of a service.
typealias ServiceBody = @Sendable (ServiceReady) async throws -> Void
