import Foundation
import Pebbles
import TemporalWire

/// What decisions are on the wire.
struct CommandWriter {
  /// Longer ones the web interface would cut.
  private static let longestSummary = 200

  /// One answer, as the server takes it, has at most four megabytes.
  static let largestAnswer = 3 << 20

  /// How long the server waits for a worker that keeps its pebble's timeout itself.
  private static let grace = Duration.seconds(30)

  /// How long a body may take that has no timeout; heartbeats tell whether its worker lives.
  static let unlimited = Duration.seconds(365 * 86_400)

  let taskQueue: String
  let codec: any PayloadCodec

  /// A decision as a command.
  ///
  /// - Parameters:
  ///   - decision: What is to be done.
  ///   - result: What is kept of the run, once it has ended.
  ///   - eager: Whether this worker has a slot for the body, should it be one.
  /// - Returns: The command.
  /// - Throws: What the codec throws.
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

  /// What people want to see first, and the record behind it. Who wants a record that is too large
  /// for the server makes it of the history.
  private func stored(_ result: RunResult?) async throws -> TemporalPayloads {
    guard let result else { return TemporalPayloads() }
    let summary = try await codec.encode(json: try JSONEncoder().encode(result.summary))
    let record = try await codec.encode(json: result.record)
    let isStored = record.data.count <= RunSettings.usualLargestPayload - (64 << 10)
    return TemporalPayloads(isStored ? [summary, record] : [summary])
  }

  /// What `temporal workflow list` shows of a run that has ended.
  ///
  /// - Parameters:
  ///   - pond: The name of its pond.
  ///   - result: What is kept of it.
  /// - Returns: The command that writes it down.
  /// - Throws: What the codec throws.
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
    let limit = body.timeout.map { $0 + Self.grace } ?? Self.unlimited
    attributes.startToCloseTimeout = .init(limit)
    attributes.heartbeatTimeout = .init(body.heartbeat)
    attributes.retryPolicy = retryPolicy(of: body)
    if body.priority != 0 {
      // Here 0 is usual and more is earlier; there 3 is usual and 1 is first.
      attributes.priority.priorityKey = Int32(3 - min(max(body.priority, -2), 2))
    }
    return attributes
  }

  /// As often as workers are lost; what the pebble's own policy allows, the worker says that calls
  /// its body.
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
  /// The type of what a body fails with whose worker was told to end.
  static let workerStopped = "WorkerStopped"

  /// How long a sentence may be, in bytes: the server stores what failed with every attempt.
  private static let longestMessage = 6_000

  private static let ourSource = "swift-pond"

  /// Whether a worker of ours has told it, and not the server or an operator.
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
