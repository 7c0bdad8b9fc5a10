import GRPCCore
import SwiftProtobuf

extension Temporal {
  /// How long the server keeps a poll that finds nothing, and a little more.
  static let longestPoll = Duration.seconds(70)

  /// Polls once.
  ///
  /// - Parameters:
  ///   - method: What is polled.
  ///   - request: How.
  ///   - type: What the answer is.
  /// - Returns: What there is; `nil` if there was no answer, which has taken its time then.
  func poll<Answer: Message>(
    _ method: String, _ request: some Message, as type: Answer.Type = Answer.self
  ) async -> Answer? {
    do {
      let answer: Answer = try await callOnce(
        method, request, within: Self.longestPoll, for: .poll)
      silence.answered()
      return answer
    } catch let error as RPCError where error.code == .deadlineExceeded {
      return nil
    } catch let error as RPCError {
      if Task.isCancelled { return nil }
      try? await Task.sleep(for: silence.failed(error))
      return nil
    } catch {
      // The connection is closed, perhaps for good: it is asked as rarely as one that is not there.
      if !Task.isCancelled { try? await Task.sleep(for: ServerSilence.longestWait) }
      return nil
    }
  }
}
