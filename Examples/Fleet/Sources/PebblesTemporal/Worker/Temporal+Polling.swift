import GRPCCore
import SwiftProtobuf
import Synchronization

extension Temporal {
  /// How long the server keeps a poll that finds nothing, and a little more.
  static let longestPoll = Duration.seconds(70)

  /// Polls once.
  ///
  /// - Parameters:
  ///   - method: What is polled.
  ///   - request: How.
  ///   - silence: What the pollers know of the server together.
  ///   - type: What the answer is.
  /// - Returns: What there is; `nil` if there was no answer, which has taken its time then.
  func poll<Answer: Message>(
    _ method: String, _ request: some Message, _ silence: ServerSilence,
    as type: Answer.Type = Answer.self
  ) async -> Answer? {
    do {
      let answer: Answer = try await callOnce(
        method, request, within: Self.longestPoll, for: .poll)
      silence.answered()
      return answer
    } catch let error as RPCError where error.code == .deadlineExceeded {
      return nil
    } catch {
      if Task.isCancelled { return nil }
      try? await Task.sleep(for: silence.failed(method, error))
      return nil
    }
  }
}

/// A server that does not answer: told of once, until it does again.
final class ServerSilence: Sendable {
  /// Also after an error that would stay: a namespace may be made, a key be changed.
  private static let longestWait = Duration.seconds(5)

  private struct State {
    var backoff = CallBackoff()
    var isKnown = false
  }

  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  init(_ log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  func answered() {
    state.withLock { $0 = State() }
  }

  /// - Returns: How long to wait before the next poll.
  func failed(_ method: String, _ error: any Error) -> Duration {
    let (delay, isNews) = state.withLock { state in
      defer { state.isKnown = true }
      let delay = (error as? RPCError).flatMap { state.backoff.delay(after: $0) }
      return (delay ?? Self.longestWait, !state.isKnown)
    }
    if isNews { log("the server does not answer to \(method): \(error)") }
    return delay
  }
}
