import Foundation
import TemporalWire

extension RunReplay {
  /// Begins a run from the first events of its history.
  ///
  /// - Parameters:
  ///   - events: The events of the history. Events after the first one are only searched for a
  ///     recorded input.
  ///   - execution: The execution of the run.
  ///   - codec: The codec that decodes payloads of the server.
  ///   - own: A closure that returns the input for a run of the pond with the given name, if the
  ///     run was started without input, for example by a schedule; `nil` for an unknown pond.
  /// - Returns: The run.
  /// - Throws: `ReplayError` if the run is impossible; any error thrown by the codec or `own`.
  static func begin(
    _ events: [TemporalHistoryEvent], _ execution: TemporalWorkflowExecution,
    _ codec: any PayloadCodec, own: (String) async throws -> RunInput? = { _ in nil }
  ) async throws -> sending RunReplay {
    guard let first = events.first, first.eventID == 1,
      case .workflowExecutionStartedEventAttributes(let started)? = first.attributes
    else { throw ReplayError("the history does not begin with the start of a workflow") }
    let recorded = events.lazy.compactMap(\.recordedInput).first
    let payloads = recorded ?? started.input
    guard payloads.payloads.allSatisfy(\.isNull) else {
      let graph = TemporalPayloads(Array(payloads.payloads.prefix(2)))
      let input = try RunInput(
        try await codec.decoded(graph).map(\.data), Array(payloads.payloads.dropFirst(2)))
      return try RunReplay(first, input, execution)
    }
    let pond = started.workflowType.name
    guard let input = try await own(pond) else {
      throw ReplayError(
        "the run was started without a graph, and there is no pond \"\(pond)\" here")
    }
    return try RunReplay(first, input, execution, isInputRecorded: false)
  }
}

extension TemporalHistoryEvent {
  /// The input of the run that a worker has recorded in this event; `nil` for any other event.
  fileprivate var recordedInput: TemporalPayloads? {
    guard case .markerRecordedEventAttributes(let marker)? = attributes,
      marker.markerName == RunReplay.inputMarker
    else { return nil }
    return marker.details[RunReplay.inputMarker]
  }
}

extension TemporalPayload {
  /// Whether the payload represents a missing value, which programs encode in various ways.
  fileprivate var isNull: Bool {
    metadata[Self.encodingKey] == Data("binary/null".utf8) || data == Data("null".utf8)
  }
}
