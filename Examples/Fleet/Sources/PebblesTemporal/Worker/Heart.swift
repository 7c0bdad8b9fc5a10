import Foundation
import GRPCCore
import TemporalWire

/// A sender of heartbeats for a call. The heartbeats also contain the progress of the call.
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

  /// Calls a closure, such as a body, and sends heartbeats until it returns.
  ///
  /// - Returns: The result of the closure, and whether the server has cancelled it.
  /// - Throws: Any error thrown by the closure.
  func withHeartbeats<Value: Sendable>(
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

  /// Sends heartbeats until the task is cancelled.
  ///
  /// - Returns: Whether the server has requested the cancellation of the body, or no longer waits
  ///   for it.
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
        // A later heartbeat may get through; if none does, the body goes to another worker.
        continue
      }
    }
    return false
  }
}
