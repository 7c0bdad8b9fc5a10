import GRPCCore
import Logging
import Synchronization

/// A server that does not answer: told of once, until it does again.
final class ServerSilence: Sendable {
  /// Also after an error that would stay: a namespace may be made, a key be changed.
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

  /// A call has failed.
  ///
  /// - Returns: How long a poll waits before the next one.
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
