import Foundation
import GRPCCore
import Pebbles
import PebblesAnalysis
import TemporalWire

/// A durable run of a pond, wherever its bodies are called. It goes on whether or not anybody holds
/// on to this; to come back to it, its identifiers are enough.
public struct TemporalRun: Sendable {
  private let temporal: Temporal

  /// What the run was called at its start.
  public let id: String

  /// Which of all runs that were called so.
  public let runID: String

  /// Whether the call that this comes from has started it, and not joined it.
  public let isNew: Bool

  init(_ temporal: Temporal, id: String, runID: String, isNew: Bool) {
    self.temporal = temporal
    self.id = id
    self.runID = runID
    self.isNew = isNew
  }

  /// Comes back to a run.
  ///
  /// - Parameters:
  ///   - temporal: Where it is.
  ///   - id: What it was called at its start.
  ///   - runID: Which of all runs that were called so; the latest, if not given.
  public init(_ temporal: Temporal, id: String, runID: String = "") {
    self.init(temporal, id: id, runID: runID, isNew: false)
  }

  private var execution: TemporalWorkflowExecution {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = id
    execution.runID = runID
    return execution
  }

  /// Ends the run early: cancels the bodies that run, starts nothing more, and undoes what has
  /// succeeded. Nothing, if the run is over.
  ///
  /// - Parameter reason: Why, for people who look at its history on the server.
  /// - Throws: ``TemporalError`` if there is no such run, or the server does not answer.
  public func cancel(_ reason: String = "") async throws {
    var request = TemporalRequestCancelWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.workflowExecution = execution
    request.identity = temporal.identity
    request.requestID = UUID().uuidString
    request.reason = reason
    let _: TemporalRequestCancelWorkflowExecutionResponse = try await named {
      try await temporal.call("RequestCancelWorkflowExecution", request)
    }
  }

  /// How far the run is. A worker is asked, so one must be up; what is called again, and why, the
  /// server knows.
  ///
  /// - Returns: The status.
  /// - Throws: ``TemporalError`` if there is no such run, or no worker answers.
  public func status() async throws -> FleetStatus {
    var request = TemporalQueryWorkflowRequest()
    request.namespace = temporal.namespace
    request.execution = execution
    request.query.queryType = FleetStatus.query
    let response: TemporalQueryWorkflowResponse = try await named {
      do {
        return try await temporal.call(
          "QueryWorkflow", request, patience: .seconds(30), for: .wait)
      } catch let error as RPCError where error.code == .deadlineExceeded {
        throw TemporalError("the run \(id): no worker of its queue has answered")
      }
    }
    let answers = try await temporal.codec.decoded(response.queryResult)
    guard let answer = answers.first else { throw TemporalError("the run gave an empty answer") }
    var status = try JSONDecoder().decode(FleetStatus.self, from: answer.data)
    status.calledAgain = try await calledAgain()
    return status
  }

  /// The calls that have failed, or found no worker, and are to be made again; and why.
  private func calledAgain() async throws -> [String: String] {
    var request = TemporalDescribeWorkflowExecutionRequest()
    request.namespace = temporal.namespace
    request.execution = execution
    let response: TemporalDescribeWorkflowExecutionResponse = try await named {
      try await temporal.call("DescribeWorkflowExecution", request)
    }
    var reasons: [String: String] = [:]
    for call in response.pendingActivities where call.hasLastFailure {
      guard reasons.count < FleetStatus.mostNamed else { break }
      reasons[call.activityID] = call.lastFailure.sentence.cut(to: FleetStatus.longestText)
    }
    return reasons
  }

  /// What happened, once the run has ended: well, badly or cancelled.
  ///
  /// - Returns: The run as a record, for pictures and analysis.
  /// - Throws: ``TemporalError`` if there is no such run, or it was ended from outside.
  public func report() async throws -> RecordedRun {
    switch try await lastEvent().attributes {
    case .workflowExecutionCompletedEventAttributes(let completed):
      return try await record(completed.result)
    case .workflowExecutionCanceledEventAttributes(let canceled):
      return try await record(canceled.details)
    case .workflowExecutionFailedEventAttributes(let failed):
      return try await record(failed.failure.applicationFailureInfo.details)
    case .workflowExecutionTerminatedEventAttributes(let terminated):
      throw TemporalError("the run \(id) was terminated: \(terminated.reason)")
    case .workflowExecutionTimedOutEventAttributes:
      throw TemporalError("the run \(id) did not end within the time that the server gave it")
    default:
      throw TemporalError("the run \(id) ended in a way that no pond does")
    }
  }

  /// The name of the pond that it is a run of.
  func pondName() async throws -> String? {
    let first = try await history(Data(), waits: false, pageSize: 1).history.events.first
    return first?.workflowExecutionStartedEventAttributes.workflowType.name
  }

  private func record(_ payloads: TemporalPayloads) async throws -> RecordedRun {
    // Behind the line that is for people.
    if payloads.payloads.count > 1, let last = payloads.payloads.last {
      let record = try await temporal.codec.decoded(last)
      return try RecordedRun(json: String(decoding: record.data, as: UTF8.self))
    }
    // Too large to be stored with the run.
    var events: [TemporalHistoryEvent] = []
    var token = Data()
    repeat {
      let page = try await history(token, waits: false)
      events += page.history.events
      token = page.nextPageToken
    } while !token.isEmpty
    events = try await temporal.codec.withReadableCases(events)
    let replay = try await RunReplay.begin(events, execution, temporal.codec)
    for event in events.dropFirst() { try replay.apply(event) }
    guard let run = replay.recorded() else {
      throw TemporalError("the history of the run \(id) has no end")
    }
    return run
  }

  private func lastEvent() async throws -> TemporalHistoryEvent {
    var token = Data()
    while true {
      let page = try await history(token, waits: true)
      if let last = page.history.events.last { return last }
      token = page.nextPageToken
    }
  }

  private func history(
    _ token: Data, waits: Bool, pageSize: Int32 = 0
  ) async throws -> TemporalGetWorkflowExecutionHistoryResponse {
    var request = TemporalGetWorkflowExecutionHistoryRequest()
    request.namespace = temporal.namespace
    request.execution = execution
    request.waitNewEvent = waits
    request.historyEventFilterType = waits ? .closeEvent : .allEvent
    request.nextPageToken = token
    request.maximumPageSize = pageSize
    return try await named {
      try await temporal.call(
        "GetWorkflowExecutionHistory", request, within: Temporal.longestPoll,
        patience: .seconds(600), for: waits ? .wait : .call)
    }
  }

  /// Says of a failed call which run it is about.
  private func named<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
    try await temporal.explaining("the run \(id)", call)
  }
}
