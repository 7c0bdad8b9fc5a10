import Foundation
import TemporalWire

extension DecisionWorker {
  /// Answers a query for the status of a run.
  func answerQuery(
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

  func result(
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
