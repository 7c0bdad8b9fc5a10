import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// An error thrown when a feed sends no answer, or an invalid one.
public struct FeedError: Error, CustomStringConvertible {
  /// The address of the feed, or its host.
  public let address: String

  /// The problem, such as `refused the connection`, worded to follow the address in a sentence.
  public let problem: String

  /// The error as a sentence.
  public var description: String { "the feed \(address) \(problem)" }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - address: The address. Passwords and keys in it are left out, because errors are public.
  ///   - problem: The problem, worded to follow the address in a sentence.
  init(address: String, problem: String) {
    self.address = Self.withoutSecrets(address)
    self.problem = problem
  }

  private static func withoutSecrets(_ address: String) -> String {
    guard var parts = URLComponents(string: address), parts.scheme != nil else { return address }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? "at \(parts.host ?? "an address that cannot be shown")"
  }
}

/// An error thrown when an answer has begun, but is not completed in time.
struct UnfinishedAnswer: Error {}

extension FeedError {
  /// Creates an error that explains a client or system error.
  ///
  /// - Parameters:
  ///   - error: The reason for the missing answer.
  ///   - address: The address of the request.
  ///   - limit: The time limit.
  init(_ error: any Error, at address: String, within limit: Duration) {
    let place = URL(string: address).flatMap { url in
      url.host.map { host in
        let host = host.contains(":") ? "[\(host)]" : host
        return url.port.map { "\(host):\($0)" } ?? host
      }
    }
    let problem = Self.problem(error, within: limit)
    self.init(
      address: problem.map { _ in "at \(place ?? address)" } ?? address,
      problem: problem ?? "could not be read: \(error)")
  }

  /// Returns the problem with the connection; `nil` if it is unknown.
  private static func problem(_ error: any Error, within limit: Duration) -> String? {
    switch error {
    case let error as HTTPClientError: problem(error, within: limit)
    case let error as NIOConnectionError: problem(error)
    case let error as IOError: problem(error)
    // The connection was found closed when the request was written.
    case ChannelError.ioOnClosedChannel: "closed the connection before it had answered"
    case is UnfinishedAnswer: "did not answer in full within \(limit)"
    case is SocketAddressError: "has no address: no such host is known"
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: problem(ofTLS: error)
    default: nil
    }
  }

  /// Returns a readable description of a TLS problem, because the library's messages mention its
  /// source files.
  private static func problem(ofTLS error: any Error) -> String {
    let text = "\(error)"
    let isOfCertificate = ["CERTIFICATE", "Certificate", "Hostname"].contains { text.contains($0) }
    return isOfCertificate
      ? "has a certificate that is not trusted (TLS)"
      : "did not agree on encryption (TLS); does it speak https?"
  }

  private static func problem(_ error: HTTPClientError, within limit: Duration) -> String? {
    switch error {
    case .deadlineExceeded, .readTimeout, .getConnectionFromPoolTimeout:
      "did not answer within \(limit)"
    case .connectTimeout: "did not accept a connection in time"
    case .tlsHandshakeTimeout: "did not agree on encryption (TLS) in time"
    case .remoteConnectionClosed, .uncleanShutdown:
      "closed the connection before it had answered"
    default: nil
    }
  }

  /// Returns the problem with a connection. If several addresses of the host were tried, returns
  /// the problem with the first one.
  private static func problem(_ error: NIOConnectionError) -> String? {
    if let failure = error.connectionErrors.first?.error {
      return (failure as? IOError).map(problem) ?? "could not be connected to: \(failure)"
    }
    return "has no address: the host \(error.host.prefix(100).debugDescription) is not known"
  }

  private static func problem(_ error: IOError) -> String {
    switch error.errnoCode {
    case ECONNREFUSED: "refused the connection"
    case ECONNRESET, EPIPE: "reset the connection"
    case ETIMEDOUT: "did not accept a connection in time"
    case EHOSTUNREACH, ENETUNREACH: "cannot be reached: there is no route to it"
    default: "could not be connected to: \(String(cString: strerror(error.errnoCode)))"
    }
  }
}
