import GRPCCore
import Logging
import Synchronization

/// A record of whether a server has stopped answering. A message is logged once when the server
/// stops answering, and once when it answers again.
final class ServerSilence: Sendable {
  /// The longest wait before the next poll. It also applies after an error that seems permanent,
  /// because the cause may still be removed: someone may create the namespace or change the key.
  static let longestWait = Duration.seconds(5)

  private struct State {
    var backoff = CallBackoff()
    var begin: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let address: TemporalAddress
  private let logger: Logger

  init(_ address: TemporalAddress, _ logger: Logger) {
    self.address = address
    self.logger = logger
  }

  func answered() {
    let begin = state.withLock { state in
      defer { state = State() }
      return state.begin
    }
    guard let begin else { return }
    let time = (ContinuousClock.now - begin).brief
    logger.notice("the server at \(address) answers again, after \(time)")
  }

  /// Records a failed call.
  ///
  /// - Returns: The time to wait before the next poll.
  @discardableResult
  func failed(_ error: RPCError) -> Duration {
    let (delay, isNews) = state.withLock { state in
      let isNews = state.begin == nil
      if isNews { state.begin = .now }
      return (state.backoff.delay(after: error) ?? Self.longestWait, isNews)
    }
    if isNews {
      logger.warning("\(error.clause(of: address)); it is asked again until it answers")
    }
    return delay
  }
}
