import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// A feed that serves the package's bundled data on a free local port, so that the tracker can be
/// tried out without a network.
package struct DemoFeed: Sendable {
  private let launches: ByteBuffer
  private let cores: ByteBuffer

  /// Reads the data.
  ///
  /// - Throws: `CocoaError` if the data is missing.
  package init() throws {
    launches = try Self.file("launches")
    cores = try Self.file("cores")
  }

  /// Returns the feed's server.
  ///
  /// - Parameters:
  ///   - logger: The logger for errors.
  ///   - onListening: A closure to call with the address of the server.
  /// - Returns: The server, which the caller must run.
  package func server(
    logger: Logger, onListening: @escaping @Sendable (String) -> Void
  ) -> some Service {
    let router = Router()
    router.get("/v4/launches") { [launches] _, _ in Response(json: launches) }
    router.get("/v4/cores") { [cores] _, _ in Response(json: cores) }
    return Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        onListening("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
      }, logger: logger)
  }

  private static func file(_ name: String) throws -> ByteBuffer {
    guard
      let file = Bundle.module.url(
        forResource: name, withExtension: "json", subdirectory: "Fixtures")
    else { throw CocoaError(.fileNoSuchFile) }
    return ByteBuffer(bytes: try Data(contentsOf: file))
  }
}

extension Response {
  fileprivate init(json: ByteBuffer) {
    self.init(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: json))
  }
}
