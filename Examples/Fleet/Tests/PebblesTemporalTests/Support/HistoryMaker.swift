import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Writes the history of a run, event by event, as a server does, and tells it to a replay.
final class HistoryMaker {
  private(set) var events: [TemporalHistoryEvent] = []
  private var seconds: Int64 = 1_000
  private(set) var replay: RunReplay

  /// The bodies that are under way: the events that scheduled them, and with what.
  private(set) var scheduled: [String: (event: Int64, body: ScheduledBody)] = [:]

  static let execution: TemporalWorkflowExecution = {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = "nightly-17"
    execution.runID = "run"
    return execution
  }()

  /// - Parameters:
  ///   - pond: The pond that is run.
  ///   - isGraphSent: Whether it was sent by who started the run.
  ///   - change: Changes how it is run.
  /// - Throws: What is wrong with the pond.
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

  /// A second replay, of the same history from its start.
  func anew() throws -> RunReplay {
    let replay = try Self.begin(events[0])
    for event in events.dropFirst() { try replay.apply(event) }
    return replay
  }

  /// Something has happened, a second after the last.
  func note(_ change: (inout TemporalHistoryEvent) -> Void) throws {
    seconds += 1
    var event = TemporalHistoryEvent()
    event.eventID = Int64(events.count + 1)
    event.eventTime.seconds = seconds
    change(&event)
    events.append(event)
    try replay.apply(event)
  }

  /// Does what the replay wants, and writes that down.
  ///
  /// - Returns: What it wanted, as words.
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

  /// A body has ended.
  ///
  /// - Returns: The event that scheduled it.
  private func ended(_ pebble: String) throws -> Int64 {
    let body = scheduled.removeValue(forKey: pebble)
    return try #require(body).event
  }

  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - output: Its output as JSON.
  ///   - cases: What a worker says of its cases; `nil` for nothing, as where it has none.
  /// - Throws: What the replay throws.
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

  /// A worker says that a body has failed for good.
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
  /// The decision in a few words.
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
