import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Logging

/// A namespace of a Temporal server, as far as running ponds takes it: what workers and clients
/// call.
///
/// ```swift
/// try await Temporal.connected(to: .local) { temporal in
///   let run = try await nightly.start(on: temporal, id: "nightly-2026-11-22")
///   print(try await run.report())
/// }
/// ```
///
/// Calls that fail because the server cannot be reached, is being restarted or is busy are made
/// again; the server knows repetitions.
public struct Temporal: Sendable {
  let lines: TemporalLines
  let address: TemporalAddress
  let silence: ServerSilence

  /// Told of what an operator wants to know.
  let logger: Logger

  /// The namespace that everything is in.
  public let namespace: String

  /// What the server calls this process.
  public let identity: String

  /// Turns payloads into what the server stores, and back.
  let codec: any PayloadCodec
  let metadata: Metadata

  /// How a server is reached.
  public struct Options: Sendable {
    /// The namespace that everything is in; it must exist.
    public var namespace = "default"

    /// What the server, and its web interface, call this process.
    public var identity = "\(ProcessInfo.processInfo.processIdentifier)@swift-pond"

    /// How the connection is encrypted; not at all if `nil`.
    public var tls: TemporalTLS?

    /// What the server knows this client by, if it wants that; only with ``tls``.
    public var apiKey: String?

    /// Turns payloads into what the server stores, and back; as they are, if not given.
    public var codec: any PayloadCodec = PlainPayloads()

    /// Told of a server that does not answer, and of what workers do: calls and their failures,
    /// what is called again, what waits for another worker and why. What is of use only to find a
    /// fault is at the level `debug`.
    public var logger = Logger(label: "temporal")

    /// The usual ones: of a server on this machine, as it is in development.
    public init() {}
  }

  /// Connects, calls `body`, and disconnects.
  ///
  /// - Parameters:
  ///   - address: Where the server is. It need not be up yet.
  ///   - options: How it is reached.
  ///   - body: What is to be done.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` threw, and ``TemporalError`` for options that cannot be meant.
  public static func connected<Result: Sendable>(
    to address: TemporalAddress, _ options: Options = Options(),
    _ body: @Sendable (Temporal) async throws -> Result
  ) async throws -> Result {
    if options.apiKey != nil, options.tls == nil {
      throw TemporalError("an API key is not sent over a connection that anybody can read; use TLS")
    }
    // Both are in headers.
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
            lines: TemporalLines(calls: calls, waits: waits), address: address,
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
          // A connection whose other side has gone without a word is found dead, and made anew.
          // Whoever waits for a server that is away need not wait long once it is back.
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
  /// What is sent with every call.
  var metadata: Metadata {
    var metadata: Metadata = ["client-name": "swift-pond", "client-version": "1.0.0"]
    if let apiKey { metadata.addString("Bearer \(apiKey)", forKey: "authorization") }
    if tls != nil { metadata.addString(namespace, forKey: "temporal-namespace") }
    return metadata
  }
}
