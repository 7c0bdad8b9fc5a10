import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

extension Application {
  /// A server that listens where the settings say, and keeps to what they say of connections.
  ///
  /// While there are more connections than there may be, answers end theirs, and the one is closed
  /// on which nothing was asked for longest, so nobody who does nothing keeps out those who do.
  ///
  /// One on which nothing is asked is closed after its time, as is one whose request does not come
  /// on. One with an answer under way is not, however long that takes, and whether or not anything
  /// is said: those who watch a boot see its end.
  ///
  /// - Parameters:
  ///   - settings: Where to listen, and how many connections there may be.
  ///   - responder: Answers.
  ///   - logger: Told what goes wrong.
  ///   - isClosing: Whether an answer is to be the last of its connection.
  ///   - onListening: Called with the port.
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
  /// Has something done that listens, and says in a sentence why it cannot, where that is known.
  ///
  /// - Parameter body: Listens.
  /// - Throws: ``PortTaken``, ``UnusableHost``; what else the body throws.
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
