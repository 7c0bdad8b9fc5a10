import Foundation
import GRPCNIOTransportHTTP2Posix

/// The encryption of a connection, and the proofs of identity of both sides.
///
/// All files are in PEM format, and are read when a connection is made.
public struct TemporalTLS: Sendable, Hashable {
  /// The file with the certificate authorities trusted for the server; `nil` for the system's.
  public var trustRoots: String?

  /// The identity of this client, if the server requires one (mutual TLS).
  public var identity: Identity?

  /// The expected name in the certificate of the server, if it differs from the host of the
  /// address, for example behind a tunnel.
  public var serverName: String?

  /// A certificate and its key.
  public struct Identity: Sendable, Hashable {
    /// The file with the certificate, followed by its issuers up to one that the server knows.
    public var certificateChain: String

    /// The file with the private key of the certificate.
    public var privateKey: String

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - certificateChain: The file with the certificate.
    ///   - privateKey: The file with its private key.
    public init(certificateChain: String, privateKey: String) {
      self.certificateChain = certificateChain
      self.privateKey = privateKey
    }
  }

  /// Creates TLS options; by default, the system's authorities are trusted and the client has no
  /// identity.
  ///
  /// - Parameters:
  ///   - trustRoots: The file with the certificate authorities trusted for the server.
  ///   - identity: The identity of this client.
  ///   - serverName: The expected name in the certificate of the server.
  public init(
    trustRoots: String? = nil, identity: Identity? = nil, serverName: String? = nil
  ) {
    self.trustRoots = trustRoots
    self.identity = identity
    self.serverName = serverName
  }
}

extension TemporalTLS {
  /// Returns the security options of the transport.
  ///
  /// - Throws: ``TemporalError`` for a file that cannot be read.
  func security() throws(TemporalError) -> HTTP2ClientTransport.Posix.TransportSecurity {
    for path in [trustRoots, identity?.certificateChain, identity?.privateKey] {
      guard let path, !FileManager.default.isReadableFile(atPath: path) else { continue }
      throw TemporalError("the file \"\(path)\" for TLS cannot be read")
    }
    return .tls { tls in
      if let trustRoots { tls.trustRoots = .certificates([.file(path: trustRoots, format: .pem)]) }
      if let identity {
        tls.certificateChain = [.file(path: identity.certificateChain, format: .pem)]
        tls.privateKey = .file(path: identity.privateKey, format: .pem)
      }
    }
  }
}
