import Foundation
import GRPCCore
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
  let bodies: BodyWorker
  let log: @Sendable (String) -> Void

  /// Polls until it is cancelled.
  func run() async {
    let silence = ServerSilence(log)
    await withDiscardingTaskGroup { group in
      for _ in 0..<Self.pollerCount {
        group.addTask { await poll(.normal(taskQueue), silence) }
        group.addTask { await poll(.sticky(stickyQueue, of: taskQueue), silence) }
      }
    }
  }

  private func poll(_ queue: TemporalTaskQueue, _ silence: ServerSilence) async {
    var request = TemporalPollWorkflowTaskQueueRequest()
    request.namespace = temporal.namespace
    request.identity = temporal.identity
    request.taskQueue = queue
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let task: TemporalPollWorkflowTaskQueueResponse? = await temporal.poll(
          "PollWorkflowTaskQueue", request, silence)
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
      let (run, events) = try await cachedRun(task)
      let answer = try await run.answer(to: events)
      if task.hasQuery {
        try await answerQuery(task, answer)
        return []
      }
      return try await complete(task, answer)
    } catch {
      cache.forget(task.workflowExecution.runID)
      // The server gives the task to another worker, or to this one again.
      if error is RPCError || error is CancellationError { return [] }
      log("a run cannot go on, \(task.workflowExecution.workflowID): \(error)")
      if task.hasQuery { return [] }
      await fail(task, error)
      return []
    }
  }

  private func complete(
    _ task: TemporalPollWorkflowTaskQueueResponse, _ answer: CachedRun.Answer
  ) async throws -> [TemporalPollActivityTaskQueueResponse] {
    let wanted = answer.decisions.count { if case .schedule = $0 { true } else { false } }
    let eager = bodies.has(pond: task.workflowType.name) ? slots.takeFree(wanted) : 0
    var left = eager
    do {
      var request = try await self.request(task, answer, eager: eager)
      for (id, query) in task.queries { request.queryResults[id] = try await result(query, answer) }
      let response: TemporalRespondWorkflowTaskCompletedResponse = try await temporal.call(
        "RespondWorkflowTaskCompleted", request)
      if case .end? = answer.decisions.first { cache.forget(task.workflowExecution.runID) }
      let bodies = Array(response.activityTasks.prefix(eager))
      left = eager - bodies.count
      slots.giveBack(left)
      return bodies
    } catch {
      slots.giveBack(left)
      throw error
    }
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
    var (size, eagerLeft) = (0, eager)
    for decision in answer.decisions {
      let command = try await writer.command(
        decision, record: answer.record, eager: eagerLeft > 0)
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
    request.failure = .application("\(error)", type: "\(type(of: error))", isFinal: false)
    _ = try? await temporal.call(
      "RespondWorkflowTaskFailed", request, as: TemporalRespondWorkflowTaskFailedResponse.self)
  }

  // MARK: Histories

  /// The run of a task, and the events that it may not know yet.
  private func cachedRun(
    _ task: TemporalPollWorkflowTaskQueueResponse
  ) async throws -> (CachedRun, [TemporalHistoryEvent]) {
    let id = task.workflowExecution.runID
    var events = task.history.events
    var token = task.nextPageToken
    var known = cache[id]
    if let run = known, let first = events.first?.eventID {
      // Not one that has missed something.
      if await run.lastEvent < first - 1 { known = nil }
    }
    if known == nil, events.first?.eventID != 1 {
      (events, token) = ([], Data())
      repeat {
        let page = try await history(task.workflowExecution, token)
        events += page.history.events
        token = page.nextPageToken
      } while !token.isEmpty
    }
    while !token.isEmpty {
      let page = try await history(task.workflowExecution, token)
      events += page.history.events
      token = page.nextPageToken
    }
    if let known { return (known, events) }
    let run = CachedRun(
      try await RunReplay.begin(events, task.workflowExecution, temporal.codec))
    cache.keep(run, id)
    return (run, events)
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
