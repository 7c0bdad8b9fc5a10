import TemporalWire

extension RunReplay {
  /// Begins a run whose input is as the server stores it.
  ///
  /// - Parameters:
  ///   - events: The first event of its history, and any that follow, which are not told here.
  ///   - execution: Which run it is.
  ///   - codec: Reads what the server stores.
  /// - Returns: The run.
  /// - Throws: `ReplayError` if there can be no such run; what the codec throws.
  static func begin(
    _ events: [TemporalHistoryEvent], _ execution: TemporalWorkflowExecution,
    _ codec: any PayloadCodec
  ) async throws -> sending RunReplay {
    guard let first = events.first, first.eventID == 1,
      case .workflowExecutionStartedEventAttributes(let started)? = first.attributes
    else { throw ReplayError("the history does not begin with the start of a workflow") }
    let input = try RunInput(try await codec.decoded(started.input).map(\.data))
    return try RunReplay(first, input, execution)
  }
}
