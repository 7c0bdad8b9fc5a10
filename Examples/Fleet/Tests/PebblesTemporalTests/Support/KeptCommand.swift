import TemporalWire

@testable import PebblesTemporal

/// What a decision is to the server, and what its history says of it.
enum KeptCommand: Hashable, CustomStringConvertible {
  case recordGraph
  case startTimer(String)
  case call(String)
  case cancel(scheduledBy: Int64)
  case complete
  case fail
  case cancelRun

  /// The sentence of a failure is left out: it may be said better some day.
  init(_ decision: Decision) {
    self =
      switch decision {
      case .recordInput: .recordGraph
      case .startDeadline: .startTimer(RunReplay.deadlineTimer)
      case .schedule(let body): .call(body.activity)
      case .cancel(let event): .cancel(scheduledBy: event)
      case .end(.completed): .complete
      case .end(.failed): .fail
      case .end(.cancelled): .cancelRun
      }
  }

  /// `nil` for what happens without a command, and for the memo beside an end.
  init?(_ event: TemporalHistoryEvent) {
    switch event.attributes {
    case .markerRecordedEventAttributes: self = .recordGraph
    case .timerStartedEventAttributes(let timer): self = .startTimer(timer.timerID)
    case .activityTaskScheduledEventAttributes(let call): self = .call(call.activityID)
    case .activityTaskCancelRequestedEventAttributes(let cancel):
      self = .cancel(scheduledBy: cancel.scheduledEventID)
    case .workflowExecutionCompletedEventAttributes: self = .complete
    case .workflowExecutionFailedEventAttributes: self = .fail
    case .workflowExecutionCanceledEventAttributes: self = .cancelRun
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .recordGraph: "to record the graph"
    case .startTimer(let timer): "to start the timer \(timer)"
    case .call(let activity): "to call \(activity)"
    case .cancel(let event): "to cancel what event \(event) scheduled"
    case .complete: "that the run is completed"
    case .fail: "that the run has failed"
    case .cancelRun: "that the run was cancelled"
    }
  }
}

extension [KeptCommand] {
  /// All of them, for a sentence.
  var inWords: String { isEmpty ? "nothing" : map(\.description).joined(separator: ", ") }
}
