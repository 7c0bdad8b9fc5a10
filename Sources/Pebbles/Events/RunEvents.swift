import Synchronization

/// The events of a run as they happen.
///
/// ```swift
/// let run = try pond.start(eventHistory: 1_000)
/// let events = run.events
/// Task {
///   for await event in events { print(event) }
/// }
/// ```
///
/// The sequence listens from the moment it is created, and its first iteration includes all events
/// since that moment, even if the iteration itself begins later. Every further iteration is a
/// separate observer, which listens from the moment the iteration begins. An iteration ends after
/// ``RunEvent/Kind/runEnded`` and the end of the last service. If a shutdown begins before then,
/// the iteration ends after ``RunEvent/Kind/shutdownEnded`` instead. If the task that iterates is
/// cancelled, the iteration ends at once.
///
/// When `start` returns, the run has already begun. An iteration therefore begins with the events
/// that the run has kept, here the newest 1,000. Without `eventHistory:`, an observer misses all
/// events that occurred before it began to listen.
///
/// The run does not wait for its observers, regardless of their number: all read from one log, and
/// a task outside of the run wakes them. An observer that falls behind loses the oldest events it
/// has not taken, and finds ``RunEvent/Kind/dropped`` in their place.
///
/// An iteration can begin inside a service, for example in a handler that streams events to a
/// client. It can also begin in a run inside the service. In both cases, the iteration delivers all
/// events until the service is asked to stop, and then ends. Otherwise, the service and the
/// iteration would wait for each other to end.
public struct RunEvents: AsyncSequence, Sendable {
  private let board: EventBoard
  private let capacity: Int
  private let stops: @Sendable () -> [Promise<Void>]
  private let first: FirstSubscription

  init(
    _ board: EventBoard, bufferingNewest capacity: Int,
    endingWith stops: @escaping @Sendable () -> [Promise<Void>]
  ) {
    self.board = board
    self.capacity = capacity
    self.stops = stops
    first = FirstSubscription(
      EventSubscription(board, bufferingNewest: capacity, endingWith: stops()))
  }

  /// Begins an iteration. The first iteration includes the events since the sequence was created;
  /// any other iteration listens from now on. Every iteration begins with the events that the run
  /// has kept.
  public func makeAsyncIterator() -> Iterator {
    let stops = stops()
    guard let first = first.take() else {
      return Iterator(
        subscription: EventSubscription(board, bufferingNewest: capacity, endingWith: stops))
    }
    // The sequence may have been made elsewhere, but its events are awaited here.
    if !stops.isEmpty { first.end(with: stops) }
    return Iterator(subscription: first)
  }

  /// An iteration over the events by one observer. Copies of an iterator share the events: each
  /// event goes to only one of the copies.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: EventSubscription

    /// Waits for the next event.
    ///
    /// - Parameter actor: The actor of the caller, on which this method runs.
    /// - Returns: The event; `nil` once the iteration has ended or the waiting task is cancelled.
    ///   All later calls return `nil` as well.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> RunEvent? {
      await subscription.next(isolation: actor)
    }
  }
}

/// The subscription created together with a sequence, for the sequence's first iteration.
private final class FirstSubscription: Sendable {
  private let subscription: Mutex<EventSubscription?>

  init(_ subscription: EventSubscription) {
    self.subscription = Mutex(subscription)
  }

  func take() -> EventSubscription? {
    subscription.withLock { $0.take() }
  }
}

/// The subscription of an observer to an event board. The subscription ends when the last reference
/// to it is released.
final class EventSubscription: Sendable {
  private let board: EventBoard
  private let observer: Int

  /// The promises that end the subscription, each with the number that identifies this
  /// subscription's handler in a call to `Promise.forget(_:)`.
  private let waits = Mutex<[(stop: Promise<Void>, number: Int)]>([])

  init(_ board: EventBoard, bufferingNewest capacity: Int, endingWith stops: [Promise<Void>]) {
    self.board = board
    observer = board.subscribe(bufferingNewest: capacity)
    end(with: stops)
  }

  deinit {
    end(with: [])
    board.unsubscribe(observer)
  }

  /// Replaces the promises that end the subscription. The subscription ends as soon as one of the
  /// given promises is fulfilled.
  func end(with stops: [Promise<Void>]) {
    let new = stops.map { stop in
      (stop: stop, number: stop.whenFulfilled { [board, observer] in board.end(observer) })
    }
    let old = waits.withLock { waits in
      defer { waits = new }
      return waits
    }
    for wait in old { wait.stop.forget(wait.number) }
  }

  func next(isolation actor: isolated (any Actor)?) async -> RunEvent? {
    await withTaskCancellationHandler(
      operation: {
        await withCheckedContinuation(isolation: actor) { board.receive(observer, $0) }
      },
      onCancel: { board.unsubscribe(observer) },
      isolation: actor)
  }
}
