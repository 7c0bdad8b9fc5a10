import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

extension Application {
  /// Creates a server with the address and the connection limits from the settings.
  ///
  /// While the number of connections exceeds the limit, each answer is the last on its connection,
  /// and the connection that has been idle longest is closed if it has been idle for at least a
  /// second. Idle clients therefore do not keep out active ones.
  ///
  /// A connection that is idle, or whose request stalls, is closed when its time limit has passed.
  /// A connection with an answer under way stays open, even if nothing is sent for a long time.
  /// Clients that watch a boot therefore see its end.
  ///
  /// - Parameters:
  ///   - settings: The address, and the connection limits.
  ///   - responder: The responder that answers requests.
  ///   - logger: The logger for errors.
  ///   - isClosing: A closure that returns whether an answer is the last on its connection.
  ///   - onListening: A closure to call with the port.
  package init(
    _ settings: Settings, responder: Responder, logger: Logger,
    isClosing: @escaping @Sendable () -> Bool = { false },
    onListening: @escaping @Sendable (Int) -> Void
  ) {
    let connections = OpenConnections(atMost: settings.connections, logger: logger)
    let server = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionHandler(connections, isClosing: isClosing)],
      idleTimeout: TimeAmount(settings.idle))
    self.init(
      responder: responder, server: .http1(configuration: server),
      configuration: .init(
        address: .hostname(settings.host, port: settings.port), serverName: "tracker",
        availableConnectionsDelegate: ConnectionLimit(connections)),
      onServerRunning: { onListening($0.localAddress?.port ?? settings.port) }, logger: logger)
  }
}

extension Settings {
  /// Calls a closure that listens, and replaces known errors with errors that read like sentences.
  ///
  /// - Parameter body: The closure that listens.
  /// - Throws: ``PortTaken`` or ``UnusableHost``; for other problems, the closure's error.
  package func listening(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw PortTaken(host: host, port: port)
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
      throw UnusableHost(host: host, problem: "is not an address of this machine")
    } catch is SocketAddressError.UnknownHost {
      throw UnusableHost(host: host, problem: "has no address")
    }
  }
}
