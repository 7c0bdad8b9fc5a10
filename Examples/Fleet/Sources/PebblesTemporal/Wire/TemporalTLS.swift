import Foundation
import GRPCNIOTransportHTTP2Posix

/// The TLS settings of a connection, which control how the server is verified and how this client
/// proves its identity.
///
/// Certificates and keys are files in PEM format, which are read when a connection is made.
public struct TemporalTLS: Sendable, Hashable {
  /// The file with the certificate authorities trusted for the server; `nil` for the authorities
  /// that the system trusts.
  public var trustRoots: String?

  /// The identity of this client, if the server requires one (mutual TLS).
  public var identity: Identity?

  /// The name expected in the server's certificate; `nil` for the host in the address. The two
  /// differ if the server is reached through a tunnel, for example.
  public var serverName: String?

  /// A certificate and its key.
  public struct Identity: Sendable, Hashable {
    /// The file with the certificate, followed by the certificates of its issuers, up to an issuer
    /// that the server trusts.
    public var certificateChain: String

    /// The file with the private key of the certificate.
    public var privateKey: String

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - certificateChain: The file with the certificate and its issuers.
    ///   - privateKey: The file with the private key of the certificate.
    public init(certificateChain: String, privateKey: String) {
      self.certificateChain = certificateChain
      self.privateKey = privateKey
    }
  }

  /// Creates TLS options. By default, the client has no identity, and trusts the authorities that
  /// the system trusts.
  ///
  /// - Parameters:
  ///   - trustRoots: The file with the certificate authorities trusted for the server.
  ///   - identity: The identity of this client.
  ///   - serverName: The name expected in the server's certificate.
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
  /// - Throws: ``TemporalError`` if a file cannot be read.
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
