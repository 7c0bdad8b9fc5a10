import TemporalWire

/// How the call of a body has ended on a worker.
enum BodyEnd: Sendable {
  /// It returned; with its output, if that is of use, and behind that which cases hold, if it has
  /// any.
  case succeeded(TemporalPayloads)

  /// It failed for good; with which cases hold, if it has any, as the details.
  case failed(TemporalFailure)

  /// It failed, and is called again by the policy of its pebble.
  case again(TemporalFailure, after: Duration, CallProgress)

  /// It was cancelled with its run; with which cases hold, if it has any.
  case cancelled(TemporalPayloads)

  /// The worker was told to end while it ran.
  case stopped(CallProgress)

  /// This worker cannot call it, and says why; `nil` for what is known of the call if it could not
  /// be read.
  case misfit(String, CallProgress?)
}

extension Temporal {
  /// The least that the server waits before the next call; zero would mean its own time.
  private static let shortestDelay = Duration.milliseconds(1)

  /// Tells the server how a call has ended.
  ///
  /// - Parameters:
  ///   - end: How.
  ///   - task: The call.
  /// - Throws: `RPCError` if it cannot be told; what the codec throws.
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
  /// How long something waits that came to a worker which can do nothing with it: not long at
  /// first, as others may be there that can.
  ///
  /// - Parameter count: How often it has come to a worker.
  /// - Returns: How long.
  static func misfitDelay(after count: Int) -> Duration {
    min(.milliseconds(50) * (1 << min(max(count, 1), 8)), .seconds(5))
      * Double.random(in: 0.5...1)
  }
}

extension TemporalFailure {
  fileprivate static let stopped = TemporalFailure.application(
    "its worker was stopped", type: TemporalFailure.workerStopped, isFinal: false)

  /// What a body failed with.
  ///
  /// - Parameters:
  ///   - error: What it has thrown.
  ///   - isFinal: Whether it is not called again.
  ///   - cases: Which cases hold, if it has any.
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
