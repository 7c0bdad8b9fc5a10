import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// A type that creates the history of a run event by event, as a server does, and applies each
/// event to a replay.
final class HistoryMaker {
  private(set) var events: [TemporalHistoryEvent] = []
  private var seconds: Int64 = 1_000
  private(set) var replay: RunReplay

  /// The calls under way, each with the number of the event that scheduled it, keyed by name.
  private(set) var scheduled: [String: (event: Int64, body: ScheduledBody)] = [:]

  static let execution: TemporalWorkflowExecution = {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = "nightly-17"
    execution.runID = "run"
    return execution
  }()

  /// Creates a history that contains only the start of the run.
  ///
  /// - Parameters:
  ///   - pond: The pond that is run.
  ///   - isGraphSent: Whether the run is started with the graph of the pond.
  ///   - change: A closure that changes the settings of the run.
  /// - Throws: An error if the pond has errors in its definition.
  init(
    _ pond: Pond, isGraphSent: Bool = true, _ change: (inout RunSettings) -> Void = { _ in }
  ) throws {
    var settings = RunSettings()
    change(&settings)
    let input = RunInput(try pond.model(), settings)
    var first = TemporalHistoryEvent()
    first.eventID = 1
    first.eventTime.seconds = seconds
    first.eventType = .workflowExecutionStarted
    if isGraphSent {
      first.workflowExecutionStartedEventAttributes.input.payloads = try input.encoded().map {
        TemporalPayload(json: $0)
      }
    }
    first.workflowExecutionStartedEventAttributes.workflowType.name = pond.name
    events = [first]
    replay = try RunReplay(first, input, Self.execution, isInputRecorded: isGraphSent)
  }

  private static func begin(_ first: TemporalHistoryEvent) throws -> RunReplay {
    let input = first.workflowExecutionStartedEventAttributes.input.payloads.map(\.data)
    return try RunReplay(first, RunInput(input), execution)
  }

  /// Returns a new replay of the whole history so far.
  func anew() throws -> RunReplay {
    let replay = try Self.begin(events[0])
    for event in events.dropFirst() { try replay.apply(event) }
    return replay
  }

  /// Adds an event that occurs a second after the previous one.
  func note(_ change: (inout TemporalHistoryEvent) -> Void) throws {
    seconds += 1
    var event = TemporalHistoryEvent()
    event.eventID = Int64(events.count + 1)
    event.eventTime.seconds = seconds
    change(&event)
    events.append(event)
    try replay.apply(event)
  }

  /// Adds the events that result from the decisions of the replay.
  ///
  /// - Returns: Descriptions of the decisions.
  @discardableResult
  func decide() throws -> [String] {
    let decisions = replay.decisions()
    for decision in decisions {
      switch decision {
      case .recordInput(let input):
        try record(input)
      case .startDeadline:
        try note { $0.timerStartedEventAttributes.timerID = RunReplay.deadlineTimer }
      case .schedule(let body):
        try note {
          $0.eventType = .activityTaskScheduled
          $0.activityTaskScheduledEventAttributes.activityID = body.activity
        }
        scheduled[body.activity] = (Int64(events.count), body)
      case .cancel(let event):
        try note {
          $0.activityTaskCancelRequestedEventAttributes.scheduledEventID = event
        }
      case .end: break
      }
    }
    return decisions.map(\.words)
  }

  private func record(_ input: RunInput) throws {
    let payloads = try input.encoded().map { TemporalPayload(json: $0) }
    try note {
      $0.markerRecordedEventAttributes.markerName = RunReplay.inputMarker
      $0.markerRecordedEventAttributes.details[RunReplay.inputMarker] = TemporalPayloads(payloads)
    }
  }

  func start(_ pebble: String, attempt: Int32 = 1, after error: String? = nil) throws {
    let event = try #require(scheduled[pebble]).event
    try note {
      $0.activityTaskStartedEventAttributes.scheduledEventID = event
      $0.activityTaskStartedEventAttributes.attempt = attempt
      if let error { $0.activityTaskStartedEventAttributes.lastFailure.message = error }
    }
  }

  /// Removes a call that has ended.
  ///
  /// - Returns: The number of the event that scheduled the call.
  private func ended(_ pebble: String) throws -> Int64 {
    let body = scheduled.removeValue(forKey: pebble)
    return try #require(body).event
  }

  /// Adds the event of a successful call.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - output: The output of the pebble, as JSON.
  ///   - cases: The cases that the worker reports; `nil` if it does not report cases.
  /// - Throws: Any error thrown by the replay.
  func succeed(_ pebble: String, _ output: String? = nil, cases: [PebbleCase]? = nil) throws {
    let event = try ended(pebble)
    let result = output.map { TemporalPayload(json: $0.utf8) }
    let said = try cases.map { TemporalPayload(json: try JSONEncoder().encode($0)) }
    try note {
      $0.activityTaskCompletedEventAttributes.scheduledEventID = event
      $0.activityTaskCompletedEventAttributes.result.payloads =
        said.map { [result ?? .noOutput, $0] } ?? result.map { [$0] } ?? []
    }
  }

  func fail(_ pebble: String, _ message: String) throws {
    let event = try ended(pebble)
    try note {
      $0.activityTaskFailedEventAttributes.scheduledEventID = event
      $0.activityTaskFailedEventAttributes.failure.message = message
    }
  }

  /// Adds the event of a body that has failed and is not called again.
  func fail(_ pebble: String, _ message: String, cases: [PebbleCase]?) throws {
    let said = try cases.map { TemporalPayload(json: try JSONEncoder().encode($0)) }
    var failure = TemporalFailure.application(message, type: "Failing", isFinal: true)
    if let said { failure.applicationFailureInfo.details = TemporalPayloads([said]) }
    try fail(pebble, with: failure)
  }

  func fail(_ pebble: String, with failure: TemporalFailure) throws {
    let event = try ended(pebble)
    try note {
      $0.activityTaskFailedEventAttributes.scheduledEventID = event
      $0.activityTaskFailedEventAttributes.failure = failure
    }
  }

  func lose(_ pebble: String, for reason: TemporalTimeoutType = .heartbeat) throws {
    let event = try ended(pebble)
    try note {
      $0.activityTaskTimedOutEventAttributes.scheduledEventID = event
      $0.activityTaskTimedOutEventAttributes.failure.timeoutFailureInfo.timeoutType = reason
    }
  }

  func cancelled(_ pebble: String) throws {
    let event = try ended(pebble)
    try note { $0.activityTaskCanceledEventAttributes.scheduledEventID = event }
  }

  func requestCancel() throws {
    try note { $0.workflowExecutionCancelRequestedEventAttributes.cause = "by hand" }
  }

  func fireDeadline() throws {
    try note { $0.timerFiredEventAttributes.timerID = RunReplay.deadlineTimer }
  }
}

extension Decision {
  /// A description of the decision in a few words.
  var words: String {
    switch self {
    case .recordInput: "record the graph"
    case .startDeadline(let limit): "deadline \(limit)"
    case .schedule(let body): body.activity
    case .cancel: "cancel"
    case .end(.completed): "completed"
    case .end(.failed(let problem)): "failed: \(problem)"
    case .end(.cancelled): "cancelled"
    }
  }
}
