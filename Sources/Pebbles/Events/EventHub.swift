import Synchronization

/// Where a run publishes its events, from any thread, for any number of observers.
///
/// Costs one atomic load per event without an observer, and never waits for an observer. To publish
/// an event is to append it to a buffer that all observers share: those that wait for one are woken
/// by a task of the hub, a few at a time, so that neither they nor their number are the publisher's
/// concern. Observers do not keep the hub alive; their iterations end with it.
final class EventHub: Sendable {
  private let board: EventBoard

  /// - Parameters:
  ///   - history: How many of the newest events are kept for observers yet to come; none if this is
  ///     0 or less. Memory grows with what is kept.
  ///   - executor: Where the tasks are made that wake observers; `nil` for where tasks usually are.
  init(history: Int, executor: (any TaskExecutor)? = nil) {
    board = EventBoard(history: history, executor)
  }

  deinit {
    board.finish()
  }

  /// Whether it is worth making events: an observer listens, or a history is kept, and the run has
  /// not ended.
  var hasObservers: Bool { board.isListening }

  /// Delivers an event, or does nothing, not even evaluate it, while ``hasObservers`` is false.
  ///
  /// Events of one thread reach every observer in order; the events of all threads reach all
  /// observers in the same order.
  ///
  /// - Complexity: O(1), amortized, however many observers there are.
  func publish(_ event: @autoclosure () -> RunEvent) {
    guard hasObservers else { return }
    board.post(event())
  }

  /// Ends all iterations once they have read what was published. May be called again.
  func finish() {
    board.finish()
  }

  /// Ends the iterations of the observers inside of a pebble, those yet to come included, once they
  /// have read what was published so far: it is asked to end, and must not wait for an end of the
  /// events that in turn waits for it.
  ///
  /// - Complexity: O(observers).
  func endObservers(insideOf pebble: Int) {
    board.endObservers(insideOf: pebble)
  }

  /// A service that was asked to end is called again: observers inside of it are told events again.
  func calledAgain(_ pebble: Int) {
    board.calledAgain(pebble)
  }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - capacity: How many events are kept at most for an observer that does not take them: at
  ///     least 1, and at least as many as the history keeps.
  ///   - enclosingPebble: Inside of which pebble an observer is that begins now, if it is inside of
  ///     one.
  /// - Returns: The events of the history, then those published from now on.
  func subscribe(
    bufferingNewest capacity: Int, enclosingPebble: @escaping @Sendable () -> Int? = { nil }
  ) -> RunEvents {
    RunEvents(board, bufferingNewest: capacity, enclosingPebble)
  }
}
