import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// The history of a run that a real server has kept.
struct KeptHistory: Sendable {
  private(set) var events: [TemporalHistoryEvent]

  /// Which run it is has no say in what is decided.
  private static let execution: TemporalWorkflowExecution = {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = "kept"
    execution.runID = "run"
    return execution
  }()

  init(_ events: [TemporalHistoryEvent]) {
    self.events = events
  }

  /// The same history, of a run of this pond.
  ///
  /// - Throws: What is wrong with the pond.
  func of(_ pond: Pond) async throws -> KeptHistory {
    let input = RunInput(try pond.model(), try await begun(events).settings)
    let payloads = TemporalPayloads(try input.encoded().map { TemporalPayload(json: $0) })
    var changed = self
    if let place = events.firstIndex(where: { $0.recordedInput != nil }) {
      changed.events[place].markerRecordedEventAttributes.details[RunReplay.inputMarker] = payloads
    } else {
      changed.events[0].workflowExecutionStartedEventAttributes.input = payloads
    }
    return changed
  }

  /// Decides again, task by task, what was decided when the history was recorded: in a run that
  /// goes on, as in the cache of a worker, and in one that is begun anew, as where a worker takes
  /// it over.
  ///
  /// - Returns: The run at its end.
  /// - Throws: `ReplayError` for the first event that does not fit the graph, and for the first
  ///   task to which something else would be answered.
  @discardableResult
  func decideAgain() async throws -> RunReplay {
    let cached = try await begun(events.prefix(1))
    for (place, event) in events.enumerated().dropFirst() {
      if event.eventType == .workflowTaskCompleted {
        let recorded = commands(after: place)
        for run in [cached, try await told(events[..<place])] {
          let decided = run.decisions().map(KeptCommand.init)
          guard decided == recorded else {
            throw ReplayError(
              "at event \(event.eventID) the server was told \(recorded.inWords), and now it "
                + "would be told \(decided.inWords)")
          }
        }
      }
      try cached.apply(event)
    }
    return cached
  }

  /// What was answered to a task. Nothing but an answer leads to such events.
  private func commands(after answer: Int) -> [KeptCommand] {
    events[(answer + 1)...].prefix { $0.eventType != .workflowTaskCompleted }
      .compactMap(KeptCommand.init)
  }

  /// The run as a worker has it that is told all at once.
  ///
  /// - Throws: `ReplayError` for the first event that does not fit the graph.
  func told() async throws -> RunReplay { try await told(events) }

  private func told(_ events: some Collection<TemporalHistoryEvent>) async throws -> RunReplay {
    let replay = try await begun(events)
    for event in events.dropFirst() { try replay.apply(event) }
    return replay
  }

  /// What the server keeps of how the run ended, as its worker told it.
  ///
  /// - Throws: `JSONError` if it cannot be read, and what is missing.
  func record() throws -> RecordedRun {
    let payloads: TemporalPayloads? =
      switch events.last?.attributes {
      case .workflowExecutionCompletedEventAttributes(let completed): completed.result
      case .workflowExecutionCanceledEventAttributes(let canceled): canceled.details
      case .workflowExecutionFailedEventAttributes(let failed):
        failed.failure.applicationFailureInfo.details
      default: nil
      }
    // Behind the line that is for people.
    let record = try #require(payloads?.payloads.dropFirst().first)
    return try RecordedRun(json: String(decoding: record.data, as: UTF8.self))
  }

  /// A run that was started without a graph has that of the worker which took it first.
  private func begun(_ events: some Collection<TemporalHistoryEvent>) async throws -> RunReplay {
    let own = try self.events.lazy.compactMap(\.recordedInput).first.map { recorded in
      try RunInput(recorded.payloads.map(\.data))
    }
    return try await RunReplay.begin(Array(events), Self.execution, PlainPayloads()) { _ in own }
  }
}

extension TemporalHistoryEvent {
  /// The graph that a worker has written down, of a run that was started without one.
  fileprivate var recordedInput: TemporalPayloads? {
    guard case .markerRecordedEventAttributes(let marker)? = attributes else { return nil }
    return marker.details[RunReplay.inputMarker]
  }
}
