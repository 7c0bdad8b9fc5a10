import Foundation
import GRPCCore
import Pebbles
import PebblesAnalysis
import TemporalWire

/// A handle for a durable run of a pond. The run does not depend on the handle, and its identifiers
/// can be used to create another handle.
public struct TemporalRun: Sendable {
  private let temporal: Temporal

  /// The identifier with which the run was started.
  public let id: String

  /// The server's identifier for the run; unique among the runs with the same `id`.
  public let runID: String

  /// Whether the call that returned this object started the run, rather than joining it.
  public let isNew: Bool

  init(_ temporal: Temporal, id: String, runID: String, isNew: Bool) {
    self.temporal = temporal
    self.id = id
    self.runID = runID
    self.isNew = isNew
  }

  /// Creates a handle for an existing run.
  ///
  /// - Parameters:
  ///   - temporal: The namespace of the run.
  ///   - id: The identifier with which the run was started.
  ///   - runID: The server's identifier of the run. If it is empty, the handle refers to the latest
  ///     run with the identifier `id`.
  public init(_ temporal: Temporal, id: String, runID: String = "") {
    self.init(temporal, id: id, runID: runID, isNew: false)
  }

  private var execution: TemporalWorkflowExecution {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = id
    execution.runID = runID
    return execution
  }

  /// Cancels the run: cancels the running bodies, starts no further ones, and tears down the
  /// pebbles that succeeded. Does nothing if the run is over.
  ///
  /// - Parameter reason: The reason, which the server shows in the history.
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

  /// Returns the status of the run. At least one worker must be running, because a worker computes
  /// the status. Only the list of calls that will be repeated comes from the server.
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

  /// Returns the reasons for repeating calls, keyed by the name of the call. A call is repeated if
  /// it failed or if no worker could make it.
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

  /// Waits for the end of the run and returns a record of it, even if the run failed or was
  /// cancelled.
  ///
  /// - Returns: The recorded run, for pictures and analysis.
  /// - Throws: ``TemporalError`` if there is no such run, or if the server or an operator ended it.
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

  /// Returns the name of the run's pond; `nil` if the history has no events.
  func pondName() async throws -> String? {
    let first = try await history(Data(), waits: false, pageSize: 1).history.events.first
    return first?.workflowExecutionStartedEventAttributes.workflowType.name
  }

  private func record(_ payloads: TemporalPayloads) async throws -> RecordedRun {
    // The record comes after the summary for people.
    if payloads.payloads.count > 1, let last = payloads.payloads.last {
      let record = try await temporal.codec.decoded(last)
      return try RecordedRun(json: String(decoding: record.data, as: UTF8.self))
    }
    // A record that is too large to be stored is rebuilt from the history.
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

  /// Makes a call, and adds the run's identifier to any error that the call throws.
  private func named<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
    try await temporal.explaining("the run \(id)", call)
  }
}
