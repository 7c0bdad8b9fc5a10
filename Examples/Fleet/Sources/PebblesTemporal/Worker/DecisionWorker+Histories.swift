import Foundation
import TemporalWire

extension DecisionWorker {
  /// Returns the answer to a task. Uses the cached run if the task's events directly follow the
  /// events that the run has processed. Otherwise, rebuilds the run from its whole history, and
  /// caches it.
  func answer(
    to task: TemporalPollWorkflowTaskQueueResponse
  ) async throws -> CachedRun.Answer {
    let id = task.workflowExecution.runID
    let news = try await pages(of: task, after: task.history.events, task.nextPageToken)
    if let run = cache[id] {
      if let answer = try await run.answer(to: news) { return answer }
      cache.forget(id)
    }
    let events = news.first?.eventID == 1 ? news : try await wholeHistory(of: task)
    let run: CachedRun
    do {
      run = CachedRun(
        try await RunReplay.begin(events, task.workflowExecution, temporal.codec) {
          try await ponds[$0]?.input(bodies.coder, temporal.codec)
        })
    } catch {
      // A run that has not begun can be ended without knowing its graph.
      guard events.endBeforeTheyBegin else { throw error }
      let status = FleetStatus(pond: task.workflowType.name, isCancelled: true)
      return CachedRun.Answer(decisions: [.end(.cancelled)], status: status, result: nil)
    }
    log(task).log(
      level: task.hasQuery ? .debug : .info,
      "the run has come to this worker, with \(events.count) events")
    guard let answer = try await run.answer(to: Array(events.dropFirst())) else {
      throw ReplayError("the history has a gap after its first event")
    }
    cache.keep(run, id)
    return answer
  }

  /// Returns the whole history of the run. Unless the task is a query, the history ends with the
  /// start of the task.
  private func wholeHistory(
    of task: TemporalPollWorkflowTaskQueueResponse
  ) async throws -> [TemporalHistoryEvent] {
    let first = try await history(task.workflowExecution, Data())
    let events = try await pages(of: task, after: first.history.events, first.nextPageToken)
    guard task.startedEventID > 0, !task.hasQuery else { return events }
    // Later events come with the next task.
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
    return try await temporal.codec.withReadableCases(events)
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
}

extension [TemporalHistoryEvent] {
  /// Whether the run was cancelled before any call was scheduled.
  fileprivate var endBeforeTheyBegin: Bool {
    contains { $0.eventType == .workflowExecutionCancelRequested }
      && !contains { $0.eventType == .activityTaskScheduled }
  }
}
