/// Where a run publishes its events, from any thread, for any number of observers.
///
/// Costs one atomic load per event while nobody listens, and never waits for an observer. Observers
/// do not keep the hub alive; their iterations end with it.
final class EventHub: Sendable {
  private let board: EventBoard

  /// - Parameter history: How many of the newest events are kept for observers yet to come; none
  ///   if this is 0 or less. Memory grows with what is kept.
  init(history: Int) {
    board = EventBoard(history: history)
  }

  deinit {
    board.finish()
  }

  /// Whether it is worth making events: somebody listens, or a history is kept, and the run has not
  /// ended.
  var hasObservers: Bool { board.isListening }

  /// Delivers an event, or does nothing, not even evaluate it, while ``hasObservers`` is false.
  ///
  /// Events of one thread reach every observer in order; the events of all threads reach all
  /// observers in the same order.
  ///
  /// - Complexity: O(observers).
  func publish(_ event: @autoclosure () -> RunEvent) {
    guard hasObservers else { return }
    board.post(event())
  }

  /// Ends all iterations once they have read what was published. May be called again.
  func finish() {
    board.finish()
  }

  /// Begins to listen.
  ///
  /// - Parameter capacity: How many events are kept at most for an observer that does not take
  ///   them: at least 1, and at least as many as the history keeps.
  /// - Returns: The events of the history, then those published from now on.
  func subscribe(bufferingNewest capacity: Int) -> RunEvents {
    RunEvents(board, bufferingNewest: capacity)
  }
}
