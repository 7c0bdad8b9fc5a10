import Foundation
import GRPCCore
import Pebbles
import TemporalWire

/// Calls the bodies that come to this worker.
struct BodyWorker: Sendable {
  /// More would only wait for each other.
  private static let mostPolls = 5

  let temporal: Temporal
  let taskQueue: String
  let ponds: [String: HostedPond]
  let slots: Slots
  let coder: any OutputCoder
  let log: @Sendable (String) -> Void

  func has(pond: String) -> Bool { ponds[pond] != nil }

  /// Polls until it is cancelled; bodies that run then are cancelled, too.
  func run() async {
    let polls = Slots(Self.mostPolls)
    let silence = ServerSilence(log)
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        guard (try? await slots.take()) != nil else { return }
        guard (try? await polls.take()) != nil else { return slots.giveBack() }
        group.addTask {
          let task = await poll(silence)
          polls.giveBack()
          if let task { await handle(task) }
          slots.giveBack()
        }
      }
    }
  }

  private func poll(_ silence: ServerSilence) async -> TemporalPollActivityTaskQueueResponse? {
    var request = TemporalPollActivityTaskQueueRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.taskQueue = .normal(taskQueue)
    let task: TemporalPollActivityTaskQueueResponse? = await temporal.poll(
      "PollActivityTaskQueue", request, silence)
    return task.flatMap { $0.taskToken.isEmpty ? nil : $0 }
  }

  /// How the call of a body has ended, for the server.
  private enum Answer {
    case output(TemporalPayload?)
    case failure(TemporalFailure)
    case cancelled
  }

  /// Calls a body, and tells the server what came of it.
  func handle(_ task: TemporalPollActivityTaskQueueResponse) async {
    let answer = await answer(to: task)
    // In a task of its own: who stops the worker must not lose what has been done.
    await Task {
      do {
        try await tell(answer, of: task)
      } catch let error as RPCError where error.code == .notFound {
        log("nobody waits any more for \(task.activityID) of \(task.workflowExecution.workflowID)")
      } catch {
        log("what came of \(task.activityID) could not be told: \(error)")
      }
    }.value
  }

  private func answer(to task: TemporalPollActivityTaskQueueResponse) async -> Answer {
    guard let pond = ponds[task.workflowType.name] else {
      // Another worker of the queue may have it: a release is under way, perhaps.
      var failure = TemporalFailure.application(
        "this worker has no pond \"\(task.workflowType.name)\"", type: "UnknownPond",
        isFinal: false)
      failure.applicationFailureInfo.nextRetryDelay = .init(.seconds(5))
      return .failure(failure)
    }
    do {
      let payloads = try await call(task) { try await temporal.codec.decoded(task.input) }.result
      guard let first = payloads.first else { throw ReplayError("it was called without inputs") }
      let manifest = try JSONDecoder().decode(BodyManifest.self, from: first.data)
      let inputs = try manifest.outcomes(Array(payloads.dropFirst()))
      if manifest.isTeardown { return try await tearDown(task, pond, inputs) }
      let (result, isCancelled) = try await call(task) {
        try await pond.attempt(
          task.activityID, number: max(1, Int(task.attempt)),
          of: task.workflowExecution.runIdentifier, inputs: inputs, coder: coder)
      }
      switch result {
      case .succeeded(let output):
        // In a task of its own: what has been done is told, whoever wants to end by now.
        return try await call(task) {
          try await Task { try await encoded(output, of: task, pond) }.value
        }.result
      case .failed where isCancelled:
        return .cancelled
      case .failed where Task.isCancelled:
        return .failure(Self.stopped)
      case .failed(let failure):
        return .failure(TemporalFailure(failure))
      }
    } catch {
      return Task.isCancelled
        ? .failure(Self.stopped)
        : .failure(.application("\(error)", type: "\(type(of: error))", isFinal: true))
    }
  }

  private static let stopped = TemporalFailure.application(
    "its worker was stopped", type: TemporalFailure.workerStopped, isFinal: false)

  /// Calls a teardown. In a task of its own: who stops the worker must not leave half of it.
  private func tearDown(
    _ task: TemporalPollActivityTaskQueueResponse, _ pond: HostedPond,
    _ inputs: [String: EncodedOutcome]
  ) async throws -> Answer {
    guard let (pebble, outcome) = inputs.first, inputs.count == 1,
      case .succeeded(let output) = outcome
    else { throw ReplayError("it is to be torn down without having succeeded") }
    let end = Task {
      try await call(task) {
        try await pond.tearDown(
          pebble, of: task.workflowExecution.runIdentifier, output: output, coder: coder)
      }
    }
    _ = try await end.value
    return .output(nil)
  }

  private func encoded(
    _ output: [UInt8]?, of task: TemporalPollActivityTaskQueueResponse, _ pond: HostedPond
  ) async throws -> Answer {
    guard let output else { return .output(nil) }
    do {
      return .output(try await payload(of: output))
    } catch {
      // Nobody will ever see it: what it stands for is undone, by the only one who could.
      do {
        try await pond.tearDown(
          task.activityID, of: task.workflowExecution.runIdentifier, output: output, coder: coder)
      } catch let failure {
        throw TemporalError("\(error); and it could not be torn down: \(failure)")
      }
      throw error
    }
  }

  private func payload(of output: [UInt8]) async throws -> TemporalPayload {
    let payload = try await temporal.codec.encode(json: output)
    let most = RunSettings().largestPayload
    guard payload.data.count <= most else {
      throw TemporalError(
        "its output has \(payload.data.count) bytes, and the server takes \(most): store it, and "
          + "return where it is")
    }
    return payload
  }

  private enum Happening<Value: Sendable>: Sendable {
    case ended(Result<Value, any Error>)
    case cancelled
    case heartStopped
  }

  /// Calls a body, or a codec, while the server is told that it lives.
  ///
  /// - Returns: What came of it, and whether the server has cancelled it.
  private func call<Value: Sendable>(
    _ task: TemporalPollActivityTaskQueueResponse,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> (result: Value, isCancelled: Bool) {
    let (result, isCancelled) = await withTaskGroup(of: Happening<Value>.self) { group in
      group.addTask { await Self.end(of: body) }
      group.addTask { await beat(task) ? .cancelled : .heartStopped }
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
  private func beat(_ task: TemporalPollActivityTaskQueueResponse) async -> Bool {
    let timeout = task.heartbeatTimeout.duration
    guard timeout > .zero else { return false }
    var request = TemporalRecordActivityTaskHeartbeatRequest()
    request.taskToken = task.taskToken
    request.namespace = temporal.namespace
    request.identity = temporal.identity
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

  // MARK: Telling

  private func tell(
    _ answer: Answer, of task: TemporalPollActivityTaskQueueResponse
  ) async throws {
    switch answer {
    case .output(let output):
      var request = TemporalRespondActivityTaskCompletedRequest()
      request.taskToken = task.taskToken
      request.namespace = temporal.namespace
      request.identity = temporal.identity
      if let output { request.result = TemporalPayloads([output]) }
      let _: TemporalRespondActivityTaskCompletedResponse = try await temporal.call(
        "RespondActivityTaskCompleted", request)
    case .failure(let failure):
      var request = TemporalRespondActivityTaskFailedRequest()
      request.taskToken = task.taskToken
      request.namespace = temporal.namespace
      request.identity = temporal.identity
      request.failure = failure
      let _: TemporalRespondActivityTaskFailedResponse = try await temporal.call(
        "RespondActivityTaskFailed", request)
    case .cancelled:
      var request = TemporalRespondActivityTaskCanceledRequest()
      request.taskToken = task.taskToken
      request.namespace = temporal.namespace
      request.identity = temporal.identity
      let _: TemporalRespondActivityTaskCanceledResponse = try await temporal.call(
        "RespondActivityTaskCanceled", request)
    }
  }
}

extension TemporalFailure {
  /// The least that the server waits before the next attempt; zero would mean its own time.
  private static let shortestDelay = Duration.milliseconds(1)

  /// What a body failed with, and when it is to be called again.
  fileprivate init(_ failure: AttemptFailure) {
    self = .application(
      "\(failure.error)", type: "\(type(of: failure.error))", isFinal: failure.retryAfter == nil)
    if let delay = failure.retryAfter {
      applicationFailureInfo.nextRetryDelay = .init(max(delay, Self.shortestDelay))
    }
  }
}
