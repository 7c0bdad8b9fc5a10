import TemporalWire

/// The way in which a call ended on a worker.
enum BodyEnd: Sendable {
  /// A success, with the output of the body, if any. If the pebble has cases, the output or a
  /// placeholder for it is followed by the cases that hold.
  case succeeded(TemporalPayloads)

  /// A failure after which the call is not repeated. If the body itself failed and its pebble has
  /// cases, the details of the failure contain the cases that hold.
  case failed(TemporalFailure)

  /// A failure after which the body is called again, according to the retry policy of its pebble.
  case again(TemporalFailure, after: Duration, CallProgress)

  /// A cancellation of the body together with its run. If the pebble has cases, the payloads are a
  /// placeholder for the output, and the cases that hold.
  case cancelled(TemporalPayloads)

  /// A stop of the worker while the body was running.
  case stopped(CallProgress)

  /// A call that this worker cannot make, with the reason. The progress is `nil` if it could not be
  /// read.
  case misfit(String, CallProgress?)
}

extension Temporal {
  /// The minimum delay before the next call. It is not zero, because zero would select the server's
  /// default.
  private static let shortestDelay = Duration.milliseconds(1)

  /// Reports the end of a call to the server.
  ///
  /// - Parameters:
  ///   - end: The end of the call.
  ///   - task: The call.
  /// - Throws: `RPCError` if the report fails; any error thrown by the codec.
  func tell(_ end: BodyEnd, of task: TemporalPollActivityTaskQueueResponse) async throws {
    switch end {
    case .succeeded(let result):
      try await tellSuccess(result, of: task)
    case .failed(let failure):
      try await tell(failure, task.heartbeatDetails, of: task)
    case .again(let failure, let delay, let progress):
      try await tell(
        failure.calledAgain(after: max(delay, Self.shortestDelay)), progress.encoded(codec),
        of: task)
    case .stopped(let progress):
      try await tell(.stopped, progress.encoded(codec), of: task)
    case .misfit(let reason, let progress):
      let failure = TemporalFailure.application(
        "it waits for another worker: \(reason)", type: "Misfit", isFinal: false)
      try await tell(
        failure.calledAgain(after: .misfitDelay(after: Int(task.attempt))),
        progress?.encoded(codec) ?? task.heartbeatDetails, of: task)
    case .cancelled(let details):
      try await tellCancelled(task, details)
    }
  }

  private func tellSuccess(
    _ result: TemporalPayloads, of task: TemporalPollActivityTaskQueueResponse
  ) async throws {
    var request = TemporalRespondActivityTaskCompletedRequest()
    request.taskToken = task.taskToken
    request.namespace = namespace
    request.identity = identity
    request.result = result
    let _: TemporalRespondActivityTaskCompletedResponse = try await call(
      "RespondActivityTaskCompleted", request)
  }

  private func tell(
    _ failure: TemporalFailure, _ progress: TemporalPayloads,
    of task: TemporalPollActivityTaskQueueResponse
  ) async throws {
    var request = TemporalRespondActivityTaskFailedRequest()
    request.taskToken = task.taskToken
    request.namespace = namespace
    request.identity = identity
    request.failure = failure
    request.lastHeartbeatDetails = progress
    let _: TemporalRespondActivityTaskFailedResponse = try await call(
      "RespondActivityTaskFailed", request)
  }

  private func tellCancelled(
    _ task: TemporalPollActivityTaskQueueResponse, _ details: TemporalPayloads
  ) async throws {
    var request = TemporalRespondActivityTaskCanceledRequest()
    request.taskToken = task.taskToken
    request.namespace = namespace
    request.identity = identity
    request.details = details
    let _: TemporalRespondActivityTaskCanceledResponse = try await call(
      "RespondActivityTaskCanceled", request)
  }
}

extension Duration {
  /// Returns the delay before a call that a worker could not make is offered to workers again. The
  /// delay is short at first, because another worker may be able to make the call.
  ///
  /// - Parameter count: The number of times that the call has been offered to a worker.
  /// - Returns: The delay.
  static func misfitDelay(after count: Int) -> Duration {
    min(.milliseconds(50) * (1 << min(max(count, 1), 8)), .seconds(5))
      * Double.random(in: 0.5...1)
  }
}

extension TemporalFailure {
  fileprivate static let stopped = TemporalFailure.application(
    "its worker was stopped", type: TemporalFailure.workerStopped, isFinal: false)

  /// Creates the failure of a body.
  ///
  /// - Parameters:
  ///   - error: The error that the body threw.
  ///   - isFinal: Whether the failure is permanent, so that the body is not called again.
  ///   - cases: The cases that hold; empty if the pebble has no cases.
  init(_ error: any Error, isFinal: Bool, _ cases: TemporalPayloads = TemporalPayloads()) {
    self = .application(error.sentence, type: "\(type(of: error))", isFinal: isFinal)
    if !cases.payloads.isEmpty { applicationFailureInfo.details = cases }
  }

  fileprivate func calledAgain(after delay: Duration) -> TemporalFailure {
    var failure = self
    failure.applicationFailureInfo.nextRetryDelay = .init(delay)
    return failure
  }
}
