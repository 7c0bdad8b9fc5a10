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
