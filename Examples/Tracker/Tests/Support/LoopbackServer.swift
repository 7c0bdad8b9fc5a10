import AsyncHTTPClient
import Hummingbird
import Logging
import ServiceLifecycle

/// A real Hummingbird server on a free port of the loopback address.
package enum LoopbackServer {
  /// Starts a server, calls a closure with its address, and ends it.
  ///
  /// - Parameters:
  ///   - router: The router with the routes of the server.
  ///   - test: A closure that uses the server. Its address has no slash at the end.
  /// - Returns: The result of `test`.
  /// - Throws: The error thrown by `test`, or by the server if it cannot listen.
  package static func using<Value: Sendable>(
    _ router: Router<BasicRequestContext>, _ test: @Sendable (String) async throws -> Value
  ) async throws -> Value {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "server of a test")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
      logger: logger)
    let service = ServiceGroup(services: [application], logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { continuation.finish() }
        try await service.run()
      }
      var port: Int?
      for await announced in ports {
        port = announced
        break
      }
      guard let port else {
        try await group.waitForAll()
        throw CancellationError()
      }
      let result = await Result.catching { try await test("http://127.0.0.1:\(port)") }
      await service.triggerGracefulShutdown()
      try await group.waitForAll()
      return try result.get()
    }
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// Returns the result of a closure, or its error, so that other work can be done before the error
  /// is thrown.
  fileprivate static func catching(_ body: () async throws -> Success) async -> Self {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}

extension HTTPClient {
  /// Creates a client, calls a closure with it, and shuts it down.
  package static func using<Value: Sendable>(
    _ configuration: Configuration = Configuration(),
    _ test: @Sendable (HTTPClient) async throws -> Value
  ) async throws -> Value {
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let result = await Result.catching { try await test(client) }
    try await client.shutdown()
    return try result.get()
  }
}
