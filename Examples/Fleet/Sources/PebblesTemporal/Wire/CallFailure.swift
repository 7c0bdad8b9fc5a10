import Foundation
import GRPCCore
import NIOCore
import NIOSSL

extension RPCError {
  /// Whether the failure may be temporary, for example because the server is down or busy.
  var isTransient: Bool {
    let codes: [Code] = [
      .unavailable, .resourceExhausted, .internalError, .unknown, .aborted, .deadlineExceeded,
    ]
    return codes.contains(code) && encryptionProblem == nil
  }

  /// The reason for a permanent TLS failure; `nil` for other failures. A TLS failure is permanent,
  /// because a person has to correct the certificates, unless the other side closed the connection.
  private var encryptionProblem: String? {
    switch cause {
    // The other side closed the connection, like a load balancer whose servers restart.
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))?: nil
    case NIOSSLError.handshakeFailed(let error)?: "\(error)"
    case let error as BoringSSLError: "\(error)"
    case let error as NIOSSLExtraError: "\(error)"
    default: nil
    }
  }

  /// Returns a human-readable explanation of the failure, such as
  /// `the server at 127.0.0.1:7233 does not answer: …`.
  func clause(of address: TemporalAddress) -> String {
    if let encryptionProblem {
      // The rest is a position in some source file.
      let problem = encryptionProblem.split(separator: " at /").first ?? ""
      return "no encrypted connection could be made; check the certificates of both sides, the "
        + "authorities behind them, and the name of the server: \(problem)"
    }
    return switch code {
    case .unauthenticated, .permissionDenied:
      "the server does not let this client in; look at its API key and certificate: \(message)"
    case .unavailable, .deadlineExceeded: "the server at \(address) does not answer: \(reason)"
    default: message
    }
  }
}

extension RPCError {
  /// The innermost known reason for the failure.
  private var reason: String {
    switch cause {
    case let error as RPCError: error.reason
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case let error?: "\(error)"
    case nil: message
    }
  }
}

extension Temporal {
  /// Makes a call, and replaces any `RPCError` with an error whose message is suitable for users.
  ///
  /// - Parameters:
  ///   - subject: The subject of the error message.
  ///   - call: A closure that makes the call.
  /// - Returns: The result of the call.
  /// - Throws: ``TemporalError`` if the call throws an `RPCError`; any other error of the call
  ///   unchanged.
  func explaining<Answer>(
    _ subject: String, _ call: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await call()
    } catch let error as RPCError {
      throw TemporalError("\(subject): \(error.clause(of: address))")
    }
  }
}
