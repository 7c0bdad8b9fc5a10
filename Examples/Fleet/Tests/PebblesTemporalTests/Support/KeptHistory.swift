import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// The history of a run, recorded from a real server.
struct KeptHistory: Sendable {
  private(set) var events: [TemporalHistoryEvent]

  /// The identifiers that are used for every replay. Decisions do not depend on them.
  private static let execution: TemporalWorkflowExecution = {
    var execution = TemporalWorkflowExecution()
    execution.workflowID = "kept"
    execution.runID = "run"
    return execution
  }()

  init(_ events: [TemporalHistoryEvent]) {
    self.events = events
  }

  /// Returns the same history with the graph replaced by that of the given pond.
  ///
  /// - Throws: An error if the pond has errors in its definition.
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

  /// Repeats the decisions of every task, and compares them with the recorded decisions. Each
  /// decision is made in two replays. The first is used for all tasks, like a run in a worker's
  /// cache. The second is created for each task, like a run that a worker takes over.
  ///
  /// - Returns: The replay at the end of the run.
  /// - Throws: `ReplayError` for the first event that does not match the graph, or for the first
  ///   task whose decisions differ from the recorded ones.
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

  /// Returns the commands in the answer to a task. They are derived from the events between this
  /// answer and the next one, because only commands lead to such events.
  private func commands(after answer: Int) -> [KeptCommand] {
    events[(answer + 1)...].prefix { $0.eventType != .workflowTaskCompleted }
      .compactMap(KeptCommand.init)
  }

  /// Returns a replay of the whole history.
  ///
  /// - Throws: `ReplayError` for the first event that does not match the graph.
  func told() async throws -> RunReplay { try await told(events) }

  private func told(_ events: some Collection<TemporalHistoryEvent>) async throws -> RunReplay {
    let replay = try await begun(events)
    for event in events.dropFirst() { try replay.apply(event) }
    return replay
  }

  /// Returns the record of the run that its worker stored on the server.
  ///
  /// - Throws: `JSONError` if the record cannot be read; another error if it is missing.
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

  /// Begins a replay. If the run was started without a graph, the replay uses the graph that the
  /// first worker recorded.
  private func begun(_ events: some Collection<TemporalHistoryEvent>) async throws -> RunReplay {
    let own = try self.events.lazy.compactMap(\.recordedInput).first.map { recorded in
      try RunInput(recorded.payloads.map(\.data))
    }
    return try await RunReplay.begin(Array(events), Self.execution, PlainPayloads()) { _ in own }
  }
}

extension TemporalHistoryEvent {
  /// The graph that a worker has recorded in this event, for a run that was started without a
  /// graph; `nil` for any other event.
  fileprivate var recordedInput: TemporalPayloads? {
    guard case .markerRecordedEventAttributes(let marker)? = attributes else { return nil }
    return marker.details[RunReplay.inputMarker]
  }
}
