import Foundation
import GRPCCore
import TemporalWire

/// The signs of life of one call, with which the server keeps what is known of it.
struct Heart: Sendable {
  private let temporal: Temporal
  private let task: TemporalPollActivityTaskQueueResponse
  private let progress: TemporalPayloads

  init(
    _ temporal: Temporal, _ task: TemporalPollActivityTaskQueueResponse,
    _ progress: TemporalPayloads
  ) {
    self.temporal = temporal
    self.task = task
    self.progress = progress
  }

  private enum Happening<Value: Sendable>: Sendable {
    case ended(Result<Value, any Error>)
    case cancelled
    case heartStopped
  }

  /// Calls a body, or a codec, while the server is told that it lives.
  ///
  /// - Returns: What came of it, and whether the server has cancelled it.
  /// - Throws: What it threw.
  func beats<Value: Sendable>(
    while body: @escaping @Sendable () async throws -> Value
  ) async throws -> (result: Value, isCancelled: Bool) {
    let (result, isCancelled) = await withTaskGroup(of: Happening<Value>.self) { group in
      group.addTask { await Self.end(of: body) }
      group.addTask { await beat() ? .cancelled : .heartStopped }
      var isCancelled = false
      while let happening = await group.next() {
        switch happening {
        case .ended(let result):
          group.cancelAll()
          return (result, isCancelled)
        case .cancelled:
          isCancelled = true
          group.cancelAll()
        case .heartStopped:
          break
        }
      }
      preconditionFailure("the call of a body was lost")
    }
    return (try result.get(), isCancelled)
  }

  private static func end<Value: Sendable>(
    of body: @Sendable () async throws -> Value
  ) async -> Happening<Value> {
    do {
      return .ended(.success(try await body()))
    } catch {
      return .ended(.failure(error))
    }
  }

  /// Tells the server that the body lives, until it is cancelled.
  ///
  /// - Returns: Whether the server wants the body to be cancelled, or nobody waits for it any more.
  private func beat() async -> Bool {
    let timeout = task.heartbeatTimeout.duration
    guard timeout > .zero else { return false }
    var request = TemporalRecordActivityTaskHeartbeatRequest()
    request.taskToken = task.taskToken
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.details = progress
    while (try? await Task.sleep(for: timeout / 3)) != nil {
      do {
        let answer: TemporalRecordActivityTaskHeartbeatResponse = try await temporal.call(
          "RecordActivityTaskHeartbeat", request, within: timeout, patience: timeout)
        if answer.cancelRequested { return true }
      } catch let error as RPCError where error.code == .notFound {
        return true
      } catch {
        // The next beat may come through; if none does, the body goes to another worker.
        continue
      }
    }
    return false
  }
}
