import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Logging

/// A namespace of a Temporal server, with the calls that workers and clients need.
///
/// ```swift
/// try await Temporal.connected(to: .local) { temporal in
///   let run = try await nightly.start(on: temporal, id: "nightly-2026-11-22")
///   print(try await run.report())
/// }
/// ```
///
/// A call that fails because the server is unreachable, restarting or busy is repeated. The server
/// recognizes repeated calls.
public struct Temporal: Sendable {
  let connections: TemporalConnections
  let address: TemporalAddress
  let silence: ServerSilence

  /// The log for operators.
  let logger: Logger

  /// The namespace of all runs.
  public let namespace: String

  /// The name of this process on the server.
  public let identity: String

  /// The codec that transforms payloads for the server and restores them.
  let codec: any PayloadCodec
  let metadata: Metadata

  /// The options of a connection.
  public struct Options: Sendable {
    /// The namespace of all runs. It must already exist.
    public var namespace = "default"

    /// The name of this process on the server and in its web interface.
    public var identity = "\(ProcessInfo.processInfo.processIdentifier)@swift-pond"

    /// The encryption of the connection; `nil` for an unencrypted connection.
    public var tls: TemporalTLS?

    /// The key that identifies this client, if the server requires one. A key requires ``tls``.
    public var apiKey: String?

    /// The codec that transforms payloads for the server and restores them. The default codec
    /// leaves payloads unchanged.
    public var codec: any PayloadCodec = PlainPayloads()

    /// The log. It records when the server stops answering. It also records the workers' calls,
    /// failures, repeated calls, and calls that wait for another worker, with the reasons. Details
    /// that are useful only for debugging have the level `debug`.
    public var logger = Logger(label: "temporal")

    /// Creates the default options, for a development server on this machine.
    public init() {}
  }

  /// Connects to a server, calls `body`, and disconnects.
  ///
  /// - Parameters:
  ///   - address: The address of the server, which need not be up yet.
  ///   - options: The options of the connection.
  ///   - body: The closure to call with the connection.
  /// - Returns: The result of `body`.
  /// - Throws: Any error thrown by `body`; ``TemporalError`` if the options are invalid.
  public static func connected<Result: Sendable>(
    to address: TemporalAddress, _ options: Options = Options(),
    _ body: @Sendable (Temporal) async throws -> Result
  ) async throws -> Result {
    if options.apiKey != nil, options.tls == nil {
      throw TemporalError("an API key is not sent over a connection that anybody can read; use TLS")
    }
    // Both are sent in headers.
    for (what, text) in [("API key", options.apiKey ?? ""), ("namespace", options.namespace)] {
      guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw TemporalError(
          "the \(what) has a space, the end of a line or another character that cannot be sent")
      }
    }
    let calls = try Self.transport(to: address, options)
    let waits = try Self.transport(to: address, options)
    return try await withGRPCClient(transport: calls) { calls in
      try await withGRPCClient(transport: waits) { waits in
        try await body(
          Temporal(
            connections: TemporalConnections(calls: calls, waits: waits), address: address,
            silence: ServerSilence(address, options.logger), logger: options.logger,
            namespace: options.namespace, identity: options.identity, codec: options.codec,
            metadata: options.metadata))
      }
    }
  }

  private static func transport(
    to address: TemporalAddress, _ options: Options
  ) throws -> HTTP2ClientTransport.Posix {
    let target: any ResolvableTarget =
      if address.isIPv4 {
        .ipv4(address: address.host, port: address.port)
      } else {
        .dns(host: address.host, port: address.port)
      }
    let security = try options.tls?.security() ?? .plaintext
    do {
      return try HTTP2ClientTransport.Posix(
        target: target, transportSecurity: security,
        config: .defaults {
          $0.http2.authority = options.tls?.serverName
          // Keepalive detects a connection whose other side has silently gone, and replaces it. The
          // short backoff finds a server soon after it is back.
          $0.backoff.max = .seconds(5)
          $0.connection.keepalive = .init(
            time: .seconds(30), timeout: .seconds(15), allowWithoutCalls: true)
          $0.channelDebuggingCallbacks.onCreateTCPConnection = { PingAnswerer.install(on: $0) }
        })
    } catch {
      throw TemporalError("no connection can be made like this: \(error)")
    }
  }
}

extension Temporal.Options {
  /// The metadata sent with every call.
  var metadata: Metadata {
    var metadata: Metadata = ["client-name": "swift-pond", "client-version": "1.0.0"]
    if let apiKey { metadata.addString("Bearer \(apiKey)", forKey: "authorization") }
    if tls != nil { metadata.addString(namespace, forKey: "temporal-namespace") }
    return metadata
  }
}
