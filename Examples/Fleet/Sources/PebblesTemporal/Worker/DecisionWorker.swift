import Foundation
import GRPCCore
import Logging
import TemporalWire

/// The part of a worker that makes the decisions for runs.
struct DecisionWorker: Sendable {
  private static let pollerCount = 2

  /// The time that a task waits for the worker that has cached the run, before the task is offered
  /// to other workers.
  private static let stickiness = Duration.seconds(5)

  let temporal: Temporal
  let taskQueue: String
  let stickyQueue: String
  let cache: RunCache
  let slots: Slots
  let ponds: [String: HostedPond]
  let bodies: BodyWorker

  /// Polls for tasks and handles them until the calling task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<Self.pollerCount {
        group.addTask { await poll(.normal(taskQueue)) }
        group.addTask { await poll(.sticky(stickyQueue, of: taskQueue)) }
      }
    }
  }

  /// Releases the runs in this worker's cache, so that other workers can make the decisions for
  /// these runs immediately. A server that does not support this request waits briefly before
  /// involving other workers, as if this worker had been lost.
  func giveUpRuns() async {
    var request = TemporalShutdownWorkerRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.stickyTaskQueue = stickyQueue
    request.reason = "the worker was told to end"
    _ = try? await temporal.callOnce(
      "ShutdownWorker", request, within: .seconds(2), for: .call,
      as: TemporalShutdownWorkerResponse.self)
  }

  private func poll(_ queue: TemporalTaskQueue) async {
    var request = TemporalPollWorkflowTaskQueueRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.taskQueue = queue
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let task: TemporalPollWorkflowTaskQueueResponse? = await temporal.poll(
          "PollWorkflowTaskQueue", request)
        guard let task, !task.taskToken.isEmpty else { continue }
        do {
          // In a separate task, so that stopping the worker does not stop a decision halfway.
          for body in try await Task(operation: { try await handle(task) }).value {
            group.addTask {
              await bodies.handle(body)
              slots.giveBack()
            }
          }
        } catch {
          group.addTask { await giveBack(task, for: error) }
        }
      }
    }
  }

  /// Handles a task.
  ///
  /// - Returns: The calls that the server sent with its response. Each of them occupies a slot.
  private func handle(
    _ task: TemporalPollWorkflowTaskQueueResponse
  ) async throws -> [TemporalPollActivityTaskQueueResponse] {
    let answer = try await answer(to: task)
    guard task.hasQuery else { return try await complete(task, answer) }
    try await answerQuery(task, answer)
    return []
  }

  /// Informs the server that this worker cannot answer a task. The server then passes the task to
  /// another worker, or sends it again later.
  private func giveBack(
    _ task: TemporalPollWorkflowTaskQueueResponse, for error: any Error
  ) async {
    cache.forget(task.workflowExecution.runID)
    if let error = error as? RPCError {
      // The server reassigns the task without a report. Rejecting a decision because of new events
      // is not an error.
      let isFault = error.code == .invalidArgument && !error.message.contains("UnhandledCommand")
      log(task).log(
        level: isFault && task.attempt <= 1 ? .error : .debug,
        "a decision was not taken: \(error.message)")
      return
    }
    // Logged once: the task comes back every few seconds until another worker takes it.
    log(task).log(
      level: task.attempt <= 1 ? .error : .debug,
      "the run waits for another worker: \(error.sentence)")
    if task.hasQuery { return }
    // Waits first, so that a task that no worker can answer does not keep all of them busy.
    try? await Task.sleep(for: .misfitDelay(after: Int(task.attempt)))
    await fail(task, error)
  }

  func log(_ task: TemporalPollWorkflowTaskQueueResponse) -> Logger {
    var logger = temporal.logger
    logger[metadataKey: "run"] = "\(task.workflowExecution.workflowID.inLine)"
    logger[metadataKey: "pond"] = "\(task.workflowType.name.inLine)"
    return logger
  }

  private func complete(
    _ task: TemporalPollWorkflowTaskQueueResponse, _ answer: CachedRun.Answer
  ) async throws -> [TemporalPollActivityTaskQueueResponse] {
    let pond = ponds[task.workflowType.name]
    let eager = slots.takeFree(answer.decisions.count { $0.isCall(of: pond) })
    var left = eager
    do {
      var request = try await self.request(task, answer, eager: eager)
      for (id, query) in task.queries { request.queryResults[id] = try await result(query, answer) }
      request.messages = try task.messages.compactMap(TemporalMessage.init(rejecting:))
      let response: TemporalRespondWorkflowTaskCompletedResponse = try await temporal.call(
        "RespondWorkflowTaskCompleted", request)
      // A reset means that the task was for an update only: the server has dropped its events, and
      // will reuse their numbers.
      if answer.decisions.endRun || response.resetHistoryEventID != 0 {
        cache.forget(task.workflowExecution.runID)
      }
      tell(answer, of: task)
      let bodies = Array(response.activityTasks.prefix(eager))
      left = eager - bodies.count
      slots.giveBack(left)
      return bodies
    } catch {
      slots.giveBack(left)
      throw error
    }
  }

  /// Logs the decisions that were made for a run, for operators to read.
  private func tell(_ answer: CachedRun.Answer, of task: TemporalPollWorkflowTaskQueueResponse) {
    let logger = log(task)
    for decision in answer.decisions {
      switch decision {
      case .end(.completed): logger.info("the run is completed: \(answer.result?.summary ?? "")")
      case .end(.cancelled): logger.info("the run was cancelled: \(answer.result?.summary ?? "")")
      case .end(.failed(let problem)):
        logger.error("the run has failed: \(answer.result?.summary ?? problem.inLine)")
      case .recordInput: logger.info("the run was started without a graph, and has this worker's")
      case .startDeadline(let limit): logger.info("the run is cancelled in \(limit.brief)")
      case .schedule, .cancel: break
      }
    }
    if !answer.decisions.endRun { logger.debug("the run waits: \(answer.status)") }
  }

  private func request(
    _ task: TemporalPollWorkflowTaskQueueResponse, _ answer: CachedRun.Answer, eager: Int
  ) async throws -> TemporalRespondWorkflowTaskCompletedRequest {
    var request = TemporalRespondWorkflowTaskCompletedRequest()
    request.taskToken = task.taskToken
    request.identity = temporal.identity
    request.namespace = temporal.namespace
    request.stickyAttributes.workerTaskQueue = .sticky(stickyQueue, of: taskQueue)
    request.stickyAttributes.scheduleToStartTimeout = .init(Self.stickiness)
    let writer = CommandWriter(taskQueue: taskQueue, codec: temporal.codec)
    if answer.decisions.endRun, let result = answer.result {
      request.commands.append(try await writer.memo(of: task.workflowType.name, result))
    }
    let pond = ponds[task.workflowType.name]
    var (size, eagerLeft) = (0, eager)
    for decision in answer.decisions {
      let command = try await writer.command(
        decision, result: answer.result, eager: eagerLeft > 0 && decision.isCall(of: pond))
      if command.scheduleActivityTaskCommandAttributes.requestEagerExecution { eagerLeft -= 1 }
      size += try command.serializedData().count
      if size > CommandWriter.largestAnswer, !request.commands.isEmpty {
        // The rest will still be ready when the server asks again, which it is told to do at once.
        request.forceCreateNewWorkflowTask = true
        break
      }
      request.commands.append(command)
    }
    return request
  }

  private func fail(
    _ task: TemporalPollWorkflowTaskQueueResponse, _ error: any Error
  ) async {
    var request = TemporalRespondWorkflowTaskFailedRequest()
    request.taskToken = task.taskToken
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.cause = error is ReplayError ? .nonDeterministicError : .workflowWorkerUnhandledFailure
    request.failure = .application(error.sentence, type: "\(type(of: error))", isFinal: false)
    _ = try? await temporal.call(
      "RespondWorkflowTaskFailed", request, as: TemporalRespondWorkflowTaskFailedResponse.self)
  }
}

extension Decision {
  /// Returns whether the decision calls the body or the teardown of a pebble in the given pond.
  fileprivate func isCall(of pond: HostedPond?) -> Bool {
    if case .schedule(let body) = self { pond?.has(body.pebble) ?? false } else { false }
  }
}

extension TemporalTaskQueue {
  static func normal(_ name: String) -> TemporalTaskQueue {
    var queue = TemporalTaskQueue()
    queue.name = name
    queue.kind = .normal
    return queue
  }

  /// Returns the sticky queue of a worker, which receives the tasks of the runs in the worker's
  /// cache.
  static func sticky(_ name: String, of normal: String) -> TemporalTaskQueue {
    var queue = TemporalTaskQueue()
    queue.name = name
    queue.kind = .sticky
    queue.normalName = normal
    return queue
  }
}
