import TemporalWire

@testable import PebblesTemporal

/// A command to the server. To compare decisions with a history, a command can be created from a
/// decision, or from the event that the command adds to the history.
enum KeptCommand: Hashable, CustomStringConvertible {
  case recordGraph
  case startTimer(String)
  case call(String)
  case cancel(scheduledBy: Int64)
  case complete
  case fail
  case cancelRun

  /// Creates a command from a decision. Failure messages are omitted, because later releases may
  /// word them differently.
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

  /// Creates a command from an event. Returns `nil` if the event does not result from a command, or
  /// if it belongs to the memo that accompanies the end of a run.
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
  /// A list of the commands, for use in a sentence.
  var inWords: String { isEmpty ? "nothing" : map(\.description).joined(separator: ", ") }
}
