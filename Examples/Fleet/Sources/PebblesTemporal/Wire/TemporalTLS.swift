import Foundation
import GRPCNIOTransportHTTP2Posix

/// How a connection is encrypted, and how each side proves who it is.
///
/// All files are in PEM, and are read when a connection is made.
public struct TemporalTLS: Sendable, Hashable {
  /// The file with the authorities that may vouch for the server; `nil` for those that the system
  /// trusts.
  public var trustRoots: String?

  /// What this client proves with who it is, if the server wants that (mutual TLS).
  public var identity: Identity?

  /// The name that the certificate of the server must have, if it is not the host of the address:
  /// behind a tunnel, for example.
  public var serverName: String?

  /// A certificate and its key.
  public struct Identity: Sendable, Hashable {
    /// The file with the certificate, and behind it those of the authorities up to one that the
    /// server knows.
    public var certificateChain: String

    /// The file with the private key of the certificate.
    public var privateKey: String

    /// Names the files.
    ///
    /// - Parameters:
    ///   - certificateChain: The file with the certificate.
    ///   - privateKey: The file with its private key.
    public init(certificateChain: String, privateKey: String) {
      self.certificateChain = certificateChain
      self.privateKey = privateKey
    }
  }

  /// TLS as it is usual: the system knows who vouches for the server; the client proves nothing.
  ///
  /// - Parameters:
  ///   - trustRoots: The file with the authorities that may vouch for the server.
  ///   - identity: What this client proves with who it is.
  ///   - serverName: The name that the certificate of the server must have.
  public init(
    trustRoots: String? = nil, identity: Identity? = nil, serverName: String? = nil
  ) {
    self.trustRoots = trustRoots
    self.identity = identity
    self.serverName = serverName
  }
}

extension TemporalTLS {
  /// For the transport.
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
