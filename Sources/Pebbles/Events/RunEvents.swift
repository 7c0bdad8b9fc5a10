import Synchronization

/// The events of a run as they happen.
///
/// ```swift
/// let events = run.events
/// Task {
///   for await event in events { print(event) }
/// }
/// ```
///
/// The sequence listens from the moment it is made, and its first iteration begins there: nothing
/// is missed in between. Every further iteration of the same sequence is an observer of its own and
/// begins where it is made. An iteration ends after ``RunEvent/Kind/runEnded`` and the end of the
/// last service, in a run that is shut down after ``RunEvent/Kind/shutdownEnded``, or as soon as
/// its task is cancelled.
///
/// The run does not wait for its observers, however many there are: all read from one log, and are
/// woken by a task that is none of the run's own. One that falls behind loses the oldest events it
/// has not taken, and finds ``RunEvent/Kind/dropped`` in their place.
///
/// An iteration that was begun inside of a service, as by a handler that streams events to a
/// client, ends when that service is asked to stop, once it has told what happened until then.
/// Otherwise the service would wait for the end of the events, and that for the service.
public struct RunEvents: AsyncSequence, Sendable {
  private let board: EventBoard
  private let capacity: Int
  private let enclosingPebble: @Sendable () -> Int?
  private let first: FirstSubscription

  init(
    _ board: EventBoard, bufferingNewest capacity: Int,
    _ enclosingPebble: @escaping @Sendable () -> Int?
  ) {
    self.board = board
    self.capacity = capacity
    self.enclosingPebble = enclosingPebble
    first = FirstSubscription(
      EventSubscription(board, bufferingNewest: capacity, insideOf: enclosingPebble()))
  }

  /// Begins an iteration: the first from where the sequence was made, any other from here.
  public func makeAsyncIterator() -> Iterator {
    let pebble = enclosingPebble()
    guard let first = first.take() else {
      return Iterator(
        subscription: EventSubscription(board, bufferingNewest: capacity, insideOf: pebble))
    }
    // The sequence may have been made elsewhere, but here it is waited for.
    if let pebble { first.move(insideOf: pebble) }
    return Iterator(subscription: first)
  }

  /// One observer's way through the events. Copies share it: each event goes to one of them.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: EventSubscription

    /// Waits for the next event.
    ///
    /// - Parameter actor: Where the caller runs, so that waiting does not leave it.
    /// - Returns: The event; `nil` if the run has ended or the waiting task is cancelled, and from
    ///   then on.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> RunEvent? {
      await subscription.next(isolation: actor)
    }
  }
}

/// The subscription that a sequence makes with itself and its first iteration takes away.
private final class FirstSubscription: Sendable {
  private let subscription: Mutex<EventSubscription?>

  init(_ subscription: EventSubscription) {
    self.subscription = Mutex(subscription)
  }

  func take() -> EventSubscription? {
    subscription.withLock { $0.take() }
  }
}

/// An observer's place on the board, given up with the last reference to this.
final class EventSubscription: Sendable {
  private let board: EventBoard
  private let observer: Int

  init(_ board: EventBoard, bufferingNewest capacity: Int, insideOf pebble: Int?) {
    self.board = board
    observer = board.subscribe(bufferingNewest: capacity, insideOf: pebble)
  }

  deinit {
    board.unsubscribe(observer)
  }

  func move(insideOf pebble: Int) {
    board.move(observer, insideOf: pebble)
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
