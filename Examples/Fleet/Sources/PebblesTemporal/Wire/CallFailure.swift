import Foundation
import GRPCCore
import NIOCore
import NIOSSL

extension RPCError {
  /// Whether the same call may succeed a little later: the server is away, or busy.
  var isTransient: Bool {
    let codes: [Code] = [
      .unavailable, .resourceExhausted, .internalError, .unknown, .aborted, .deadlineExceeded,
    ]
    return codes.contains(code) && encryptionProblem == nil
  }

  /// Why no encrypted connection could be made: certificates do not get better by themselves.
  private var encryptionProblem: String? {
    switch cause {
    // The other side was closed, as by a balancer whose servers are being started again.
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))?: nil
    case NIOSSLError.handshakeFailed(let error)?: "\(error)"
    case let error as BoringSSLError: "\(error)"
    case let error as NIOSSLExtraError: "\(error)"
    default: nil
    }
  }

  /// What the failure means to who made the call, as a clause.
  func clause(of address: TemporalAddress) -> String {
    if let encryptionProblem {
      // Behind that is a place in somebody's source.
      let problem = encryptionProblem.split(separator: " at /").first ?? ""
      return "no encrypted connection could be made; look at the certificates of both sides, who "
        + "vouches for them, and the name of the server: \(problem)"
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
  /// Why it failed, as far down as that is known.
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
  /// Makes a call, of which a person has to be told if it fails.
  ///
  /// - Parameters:
  ///   - subject: What it is about.
  ///   - call: Makes it.
  /// - Returns: What it returned.
  /// - Throws: ``TemporalError`` instead of `RPCError`; any other error as it is.
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
