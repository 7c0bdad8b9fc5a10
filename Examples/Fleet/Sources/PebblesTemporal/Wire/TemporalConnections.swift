import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// The connections to a server, with limits on their concurrent calls.
///
/// HTTP/2 allows a hundred concurrent calls on a connection by default, and Temporal servers do not
/// change this limit. Further calls would queue in the connection, behind polls that may take
/// minutes, and could time out. To prevent this, calls that wait have a separate connection, and a
/// call is made only when the connection has room for it.
struct TemporalConnections: Sendable {
  /// The purpose of a call.
  enum Purpose {
    /// A command or query that is answered immediately.
    case call

    /// A poll for the next task of a worker.
    case poll

    /// A wait for the end of a run, or for a worker's answer. Such waits must not block the calls
    /// that a worker has to make before it can answer.
    case wait
  }

  private let calls: GRPCClient<HTTP2ClientTransport.Posix>
  private let waits: GRPCClient<HTTP2ClientTransport.Posix>
  private let callSlots = Slots(30)
  private let pollSlots = Slots(60)
  private let waitSlots = Slots(90)

  init(
    calls: GRPCClient<HTTP2ClientTransport.Posix>, waits: GRPCClient<HTTP2ClientTransport.Posix>
  ) {
    self.calls = calls
    self.waits = waits
  }

  /// Makes a call when a slot is free.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the call.
  ///   - call: A closure that makes the call.
  /// - Returns: The result of the call.
  /// - Throws: Any error thrown by the call; `CancellationError` if the task was cancelled before
  ///   a slot was free.
  func make<Answer: Sendable>(
    _ purpose: Purpose,
    _ call: (GRPCClient<HTTP2ClientTransport.Posix>) async throws -> Answer
  ) async throws -> Answer {
    let (slots, client) =
      switch purpose {
      case .call: (callSlots, calls)
      case .poll: (pollSlots, calls)
      case .wait: (waitSlots, waits)
      }
    try await slots.take()
    defer { slots.giveBack() }
    return try await call(client)
  }
}
