import Synchronization

/// The publisher of a run's events. Any thread can publish, and any number of observers can listen.
///
/// If there is neither an observer nor a history, publishing costs one atomic load. The hub never
/// waits for an observer. Publishing appends the event to a buffer that all observers share. A task
/// of the hub wakes the waiting observers, a few at a time. As a result, publishing takes the same
/// time regardless of the number of observers. Observers do not keep the hub alive. Their
/// iterations end when the hub is released.
final class EventHub: Sendable {
  private let board: EventBoard

  /// Creates a hub.
  ///
  /// - Parameters:
  ///   - history: The maximum number of events to keep for later observers. The newest events are
  ///     kept; if the number is 0 or less, no events are kept.
  ///   - executor: The executor of the tasks that wake observers; `nil` for the default executor.
  init(history: Int, executor: (any TaskExecutor)? = nil) {
    board = EventBoard(history: history, executor)
  }

  deinit {
    board.finish()
  }

  /// Whether events must be created. This is the case if the run has not ended, and either an
  /// observer is listening or a history is kept.
  var hasObservers: Bool { board.isListening }

  /// Delivers an event. While ``hasObservers`` is `false`, the method neither evaluates nor
  /// delivers the event.
  ///
  /// The events of one thread reach every observer in order. The events of different threads reach
  /// all observers in the same order.
  ///
  /// - Complexity: O(1), amortized, regardless of the number of observers.
  func publish(_ event: @autoclosure () -> RunEvent) {
    guard hasObservers else { return }
    board.post(event())
  }

  /// Ends the iteration of each observer as soon as the observer has read all published events. May
  /// be called more than once.
  func finish() {
    board.finish()
  }

  /// Returns a sequence that listens to events from now on.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of events that can wait for an observer. The value is raised,
  ///     if necessary, to the number of events in the history, and to at least 1.
  ///   - stops: A closure that returns promises for a new observer. Once one of them is fulfilled,
  ///     the iteration ends after the events published so far. Without these promises, an iteration
  ///     and the stopping service that contains it could wait forever for each other to end.
  /// - Returns: The events in the history, followed by the events published from now on.
  func subscribe(
    bufferingNewest capacity: Int,
    endingWith stops: @escaping @Sendable () -> [Promise<Void>] = { [] }
  ) -> RunEvents {
    RunEvents(board, bufferingNewest: capacity, endingWith: stops)
  }
}
