import NIOCore
import NIOPosix

/// A server that knows no protocol, on a free port of the loopback address.
enum RawServer {
  /// Starts a server, calls a closure with the server's address, and then stops the server.
  ///
  /// - Parameters:
  ///   - greet: A closure that is called with every new connection.
  ///   - test: A closure that uses the server. It is called with an HTTP address of the server.
  /// - Throws: The error thrown by `test`, or the system's error.
  static func using(
    _ greet: @escaping @Sendable (any Channel) -> Void,
    test: @Sendable (String) async throws -> Void
  ) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        greet(channel)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    do {
      try await test("http://127.0.0.1:\(server.localAddress?.port ?? 0)")
    } catch {
      try await server.close()
      throw error
    }
    try await server.close()
  }
}
