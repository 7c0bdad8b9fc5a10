import Foundation
import Pebbles
import TemporalWire

/// A writer that turns decisions into commands for the server.
struct CommandWriter {
  /// The maximum length of a summary, in characters. The web interface truncates longer summaries.
  private static let longestSummary = 200

  /// The maximum size of an answer, in bytes. The server accepts at most four megabytes.
  static let largestAnswer = 3 << 20

  /// The margin by which the server's time limit for a call exceeds the call's maximum duration.
  /// The worker enforces the timeout itself.
  private static let grace = Duration.seconds(30)

  /// The server's time limit for a body without a timeout. It is practically unlimited, because
  /// heartbeats show whether the worker is alive.
  static let unlimited = Duration.seconds(365 * 86_400)

  let taskQueue: String
  let codec: any PayloadCodec

  /// Returns the command for a decision.
  ///
  /// - Parameters:
  ///   - decision: The decision.
  ///   - result: The result of the run; `nil` if it has not ended.
  ///   - eager: Whether this worker can make the call immediately, if the decision schedules a
  ///     call.
  /// - Returns: The command.
  /// - Throws: Any error thrown by the codec.
  func command(
    _ decision: Decision, result: RunResult?, eager: Bool
  ) async throws -> TemporalCommand {
    var command = TemporalCommand()
    switch decision {
    case .recordInput(let input):
      command.commandType = .recordMarker
      command.recordMarkerCommandAttributes.markerName = RunReplay.inputMarker
      command.recordMarkerCommandAttributes.details[RunReplay.inputMarker] =
        try await codec.encode(json: input)
    case .startDeadline(let limit):
      command.commandType = .startTimer
      command.startTimerCommandAttributes.timerID = RunReplay.deadlineTimer
      command.startTimerCommandAttributes.startToFireTimeout = .init(limit)
    case .cancel(let event):
      command.commandType = .requestCancelActivityTask
      command.requestCancelActivityTaskCommandAttributes.scheduledEventID = event
    case .schedule(let body):
      command.commandType = .scheduleActivityTask
      command.scheduleActivityTaskCommandAttributes = try await attributes(of: body)
      command.scheduleActivityTaskCommandAttributes.requestEagerExecution = eager
      let summary = try JSONEncoder().encode(String(body.summary.prefix(Self.longestSummary)))
      command.userMetadata.summary = try await codec.encode(json: summary)
    case .end(let ending):
      try await end(&command, ending, result)
    }
    return command
  }

  private func end(
    _ command: inout TemporalCommand, _ ending: RunEnding, _ result: RunResult?
  ) async throws {
    let result = try await stored(result)
    switch ending {
    case .completed:
      command.commandType = .completeWorkflowExecution
      command.completeWorkflowExecutionCommandAttributes.result = result
    case .cancelled:
      command.commandType = .cancelWorkflowExecution
      command.cancelWorkflowExecutionCommandAttributes.details = result
    case .failed(let problem):
      command.commandType = .failWorkflowExecution
      var failure = TemporalFailure.application(problem, type: "PondFailed", isFinal: true)
      failure.applicationFailureInfo.details = result
      command.failWorkflowExecutionCommandAttributes.failure = failure
    }
  }

  /// Returns the payloads of a result: the summary for people, followed by the record. A record
  /// that is too large for the server is omitted, because it can be rebuilt from the history. If
  /// `result` is `nil`, there are no payloads.
  private func stored(_ result: RunResult?) async throws -> TemporalPayloads {
    guard let result else { return TemporalPayloads() }
    let summary = try await codec.encode(json: try JSONEncoder().encode(result.summary))
    let record = try await codec.encode(json: result.record)
    let isStored = record.data.count <= RunSettings.usualLargestPayload - (64 << 10)
    return TemporalPayloads(isStored ? [summary, record] : [summary])
  }

  /// Returns the command that sets the memo of a run that has ended. The server includes the memo
  /// when it lists the run; `temporal workflow list --output json` prints it.
  ///
  /// - Parameters:
  ///   - pond: The name of the pond.
  ///   - result: The result of the run.
  /// - Returns: The command.
  /// - Throws: Any error thrown by the codec.
  func memo(of pond: String, _ result: RunResult) async throws -> TemporalCommand {
    var command = TemporalCommand()
    command.commandType = .modifyWorkflowProperties
    let encoder = JSONEncoder()
    for (key, text) in [(RunMemo.pond, pond), (RunMemo.outcome, result.summary)] {
      command.modifyWorkflowPropertiesCommandAttributes.upsertedMemo.fields[key] =
        try await codec.encode(json: try encoder.encode(text))
    }
    return command
  }

  private func attributes(
    of body: ScheduledBody
  ) async throws -> TemporalScheduleActivityTaskCommandAttributes {
    var attributes = TemporalScheduleActivityTaskCommandAttributes()
    attributes.activityID = body.activity
    attributes.activityType.name = body.activity
    attributes.taskQueue.name = taskQueue
    let manifest = try await codec.encode(json: try JSONEncoder().encode(body.manifest))
    attributes.input = TemporalPayloads([manifest] + body.outputs)
    // Before another attempt, the worker waits for an abandoned body as long again.
    let limit = body.timeout.map { $0 + $0 + Self.grace } ?? Self.unlimited
    attributes.startToCloseTimeout = .init(limit)
    attributes.heartbeatTimeout = .init(body.heartbeat)
    attributes.retryPolicy = retryPolicy(of: body)
    if body.priority != 0 {
      // In Pebbles, 0 is the default and higher is earlier; on the server, 3 is the default and 1
      // is first.
      attributes.priority.priorityKey = Int32(3 - min(max(body.priority, -2), 2))
    }
    return attributes
  }

  /// Returns the retry policy that the server applies after a worker was lost. The policy repeats
  /// the call any number of times, or not at all if the call must not be repeated. The worker
  /// applies the retry policy of the pebble.
  private func retryPolicy(of body: ScheduledBody) -> TemporalRetryPolicy {
    var policy = TemporalRetryPolicy()
    policy.initialInterval = .init(.milliseconds(10))
    policy.backoffCoefficient = 2
    policy.maximumInterval = .init(.seconds(10))
    if !body.isCalledAgain {
      policy.nonRetryableErrorTypes = [
        "TemporalTimeout:Heartbeat", "TemporalTimeout:StartToClose",
        TemporalFailure.workerStopped,
      ]
    }
    return policy
  }
}

extension TemporalFailure {
  /// The failure type of calls that did not succeed because the worker was asked to stop.
  static let workerStopped = "WorkerStopped"

  /// The maximum length of a message, in bytes. It is limited because the server stores the failure
  /// of every attempt.
  private static let longestMessage = 6_000

  private static let ourSource = "swift-pond"

  /// Whether the failure was reported by one of our workers, not by the server or an operator.
  var isOurs: Bool { source == Self.ourSource }

  static func application(_ message: String, type: String, isFinal: Bool) -> TemporalFailure {
    var failure = TemporalFailure()
    failure.message = message.cut(to: longestMessage)
    failure.source = ourSource
    failure.applicationFailureInfo.type = type
    failure.applicationFailureInfo.nonRetryable = isFinal
    return failure
  }
}
