import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// The connections to a server, and how many calls are made on them at a time.
///
/// HTTP/2 takes a hundred calls at a time on one connection unless the server allows more, which
/// this one does not say. Those beyond wait in the connection, where their time runs, and behind
/// others that wait for something to happen, perhaps for minutes. So who waits has a connection of
/// its own, and nobody makes a call before it can be sent.
struct TemporalLines: Sendable {
  /// What a call is made for.
  enum Purpose {
    /// To tell or ask something: the answer comes at once.
    case call

    /// To be told what a worker is to do next.
    case poll

    /// To be told the end of a run, or what a worker has to say, whose own calls must not wait for
    /// this one.
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

  /// Makes a call, once there is room for it.
  ///
  /// - Parameters:
  ///   - purpose: What it is made for.
  ///   - call: Makes it.
  /// - Returns: What it returned.
  /// - Throws: What it threw; `CancellationError` if there was no room before the task was
  ///   cancelled.
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
