import Foundation
import TemporalWire

extension RunReplay {
  /// Begins a run whose input is as the server stores it.
  ///
  /// - Parameters:
  ///   - events: The first event of its history, and all that follow, which are not told here.
  ///   - execution: Which run it is.
  ///   - codec: Reads what the server stores.
  ///   - own: What a run of this pond has for an input that was started without one, as by a
  ///     schedule; `nil` if that is known to nobody here.
  /// - Returns: The run.
  /// - Throws: `ReplayError` if there can be no such run; what the codec and `own` throw.
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
  /// The input of a run that a worker has written down.
  fileprivate var recordedInput: TemporalPayloads? {
    guard case .markerRecordedEventAttributes(let marker)? = attributes,
      marker.markerName == RunReplay.inputMarker
    else { return nil }
    return marker.details[RunReplay.inputMarker]
  }
}

extension TemporalPayload {
  /// Whether it is what programs send that have nothing to say.
  fileprivate var isNull: Bool {
    metadata[Self.encodingKey] == Data("binary/null".utf8) || data == Data("null".utf8)
  }
}
