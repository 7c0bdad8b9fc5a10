import Foundation
import GRPCCore
import Logging
import TemporalWire

/// Decides what is to be done in the runs whose tasks come to this worker.
struct DecisionWorker: Sendable {
  private static let pollerCount = 2

  /// How long a run stays with the worker that has it in its cache, should that not answer.
  private static let stickiness = Duration.seconds(5)

  let temporal: Temporal
  let taskQueue: String
  let stickyQueue: String
  let cache: RunCache
  let slots: Slots
  let ponds: [String: HostedPond]
  let bodies: BodyWorker

  /// Polls until it is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<Self.pollerCount {
        group.addTask { await poll(.normal(taskQueue)) }
        group.addTask { await poll(.sticky(stickyQueue, of: taskQueue)) }
      }
    }
  }

  /// Lets other workers decide at once for the runs in the cache. Servers that do not know that wait
  /// for a moment, as if the worker had been lost.
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
        for body in await handle(task) {
          group.addTask {
            await bodies.handle(body)
            slots.giveBack()
          }
        }
      }
    }
  }

  /// - Returns: The bodies that the server has handed over at once, for as many slots.
  private func handle(
    _ task: TemporalPollWorkflowTaskQueueResponse
  ) async -> [TemporalPollActivityTaskQueueResponse] {
    do {
      let answer = try await answer(to: task)
      if task.hasQuery {
        try await answerQuery(task, answer)
        return []
      }
      return try await complete(task, answer)
    } catch {
      cache.forget(task.workflowExecution.runID)
      // The server gives the task to another worker, or to this one again.
      if error is RPCError || error is CancellationError { return [] }
      // Said once; as long as no other worker can take it, it comes again every few seconds.
      log(task).log(
        level: task.attempt <= 1 ? .error : .debug,
        "the run waits for another worker: \(error.sentence)")
      if task.hasQuery { return [] }
      await fail(task, error)
      return []
    }
  }

  private func log(_ task: TemporalPollWorkflowTaskQueueResponse) -> Logger {
    var logger = temporal.logger
    logger[metadataKey: "run"] = "\(task.workflowExecution.workflowID)"
    logger[metadataKey: "pond"] = "\(task.workflowType.name)"
    return logger
  }

  private func complete(
    _ task: TemporalPollWorkflowTaskQueueResponse, _ answer: CachedRun.Answer
  ) async throws -> [TemporalPollActivityTaskQueueResponse] {
    let pond = ponds[task.workflowType.name]
    let eager = slots.takeFree(
      answer.decisions.count { $0.scheduledBody.flatMap { pond?.has($0.pebble) } ?? false })
    var left = eager
    do {
      var request = try await self.request(task, answer, eager: eager)
      for (id, query) in task.queries { request.queryResults[id] = try await result(query, answer) }
      request.messages = try task.messages.compactMap(TemporalMessage.init(rejecting:))
      let response: TemporalRespondWorkflowTaskCompletedResponse = try await temporal.call(
        "RespondWorkflowTaskCompleted", request)
      // The latter of a task that was for an update only: the server has dropped its events, and
      // gives their numbers to others.
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

  /// What an operator reads of a run that this worker has decided for.
  private func tell(_ answer: CachedRun.Answer, of task: TemporalPollWorkflowTaskQueueResponse) {
    let logger = log(task)
    for decision in answer.decisions {
      switch decision {
      case .end(.completed): logger.info("the run is completed: \(answer.result?.summary ?? "")")
      case .end(.cancelled): logger.info("the run was cancelled: \(answer.result?.summary ?? "")")
      case .end(.failed(let problem)):
        logger.error("the run has failed: \(answer.result?.summary ?? problem)")
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
      let isHere = decision.scheduledBody.flatMap { pond?.has($0.pebble) } ?? false
      let command = try await writer.command(
        decision, result: answer.result, eager: isHere && eagerLeft > 0)
      if command.scheduleActivityTaskCommandAttributes.requestEagerExecution { eagerLeft -= 1 }
      size += try command.serializedData().count
      if size > CommandWriter.largestAnswer, !request.commands.isEmpty {
        // The rest is still ready when the server asks again, which it is to do at once.
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

  // MARK: Histories

  /// What there is to be answered to a task: by the run in the cache, if the events of the task
  /// follow those that it knows, or else by a run that is made of the whole history.
  private func answer(
    to task: TemporalPollWorkflowTaskQueueResponse
  ) async throws -> CachedRun.Answer {
    let id = task.workflowExecution.runID
    let news = try await pages(of: task, after: task.history.events, task.nextPageToken)
    if let run = cache[id] {
      if let answer = try await run.answer(to: news) { return answer }
      cache.forget(id)
    }
    let events = news.first?.eventID == 1 ? news : try await wholeHistory(of: task)
    let run = CachedRun(
      try await RunReplay.begin(events, task.workflowExecution, temporal.codec) { ponds[$0]?.input }
    )
    log(task).log(
      level: task.hasQuery ? .debug : .info,
      "the run has come to this worker, with \(events.count) events")
    guard let answer = try await run.answer(to: Array(events.dropFirst())) else {
      throw ReplayError("the history has a gap after its first event")
    }
    cache.keep(run, id)
    return answer
  }

  /// All that the server keeps of the run, up to the task itself.
  private func wholeHistory(
    of task: TemporalPollWorkflowTaskQueueResponse
  ) async throws -> [TemporalHistoryEvent] {
    let first = try await history(task.workflowExecution, Data())
    let events = try await pages(of: task, after: first.history.events, first.nextPageToken)
    guard task.startedEventID > 0, !task.hasQuery else { return events }
    // What came later is told with the next task.
    return events.filter { $0.eventID <= task.startedEventID }
  }

  private func pages(
    of task: TemporalPollWorkflowTaskQueueResponse, after events: [TemporalHistoryEvent],
    _ token: Data
  ) async throws -> [TemporalHistoryEvent] {
    var (events, token) = (events, token)
    while !token.isEmpty {
      let page = try await history(task.workflowExecution, token)
      events += page.history.events
      token = page.nextPageToken
    }
    return events
  }

  private func history(
    _ execution: TemporalWorkflowExecution, _ token: Data
  ) async throws -> TemporalGetWorkflowExecutionHistoryResponse {
    var request = TemporalGetWorkflowExecutionHistoryRequest()
    request.namespace = temporal.namespace
    request.execution = execution
    request.nextPageToken = token
    return try await temporal.call("GetWorkflowExecutionHistory", request)
  }

  // MARK: Queries

  private func answerQuery(
    _ task: TemporalPollWorkflowTaskQueueResponse, _ answer: CachedRun.Answer
  ) async throws {
    let result = try await result(task.query, answer)
    var request = TemporalRespondQueryTaskCompletedRequest()
    request.taskToken = task.taskToken
    request.namespace = temporal.namespace
    request.completedType = result.resultType
    request.queryResult = result.answer
    request.errorMessage = result.errorMessage
    let _: TemporalRespondQueryTaskCompletedResponse = try await temporal.call(
      "RespondQueryTaskCompleted", request)
  }

  private func result(
    _ query: TemporalWorkflowQuery, _ answer: CachedRun.Answer
  ) async throws -> TemporalWorkflowQueryResult {
    var result = TemporalWorkflowQueryResult()
    guard query.queryType == FleetStatus.query else {
      result.resultType = .failed
      result.errorMessage = "a pond answers to \"\(FleetStatus.query)\" only"
      return result
    }
    result.resultType = .answered
    let status = try JSONEncoder().encode(answer.status)
    result.answer = TemporalPayloads([try await temporal.codec.encode(json: status)])
    return result
  }
}

extension TemporalTaskQueue {
  static func normal(_ name: String) -> TemporalTaskQueue {
    var queue = TemporalTaskQueue()
    queue.name = name
    queue.kind = .normal
    return queue
  }

  /// The queue of a worker that has runs in its cache.
  static func sticky(_ name: String, of normal: String) -> TemporalTaskQueue {
    var queue = TemporalTaskQueue()
    queue.name = name
    queue.kind = .sticky
    queue.normalName = normal
    return queue
  }
}
