import GRPCCore
import SwiftProtobuf

extension Temporal {
  /// The time limit of a poll. It is slightly longer than the time that the server waits for a task
  /// before it sends an empty answer.
  static let longestPoll = Duration.seconds(70)

  /// Polls once. If the poll fails for a reason other than its time limit, waits before returning.
  ///
  /// - Parameters:
  ///   - method: The method to call.
  ///   - request: The request.
  ///   - type: The type of the answer.
  /// - Returns: The answer; `nil` if the poll failed.
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
      // The connection is closed, perhaps for good: it is polled as rarely as a missing server.
      if !Task.isCancelled { try? await Task.sleep(for: ServerSilence.longestWait) }
      return nil
    }
  }
}
