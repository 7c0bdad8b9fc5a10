import Pebbles
import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let run = try pond.start(clock: clock)
/// await clock.asleep(2)
/// clock.advance(by: .seconds(5))
/// let report = try await run.report
/// ```
///
/// A task that sleeps on the clock wakes when its deadline is reached. Tasks wake in the order of
/// their deadlines; tasks with the same deadline wake in the order in which they called `sleep`. A
/// sleeper whose task is cancelled wakes at once with `CancellationError`.
///
/// The clock starts at zero, and only an exploration sets it back. If it is advanced beyond the
/// last possible instant, it stops there.
///
/// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)`` advances the clock by itself: by
/// default, only when no task can run. Before each schedule, it sets the clock back to the time at
/// which the exploration began. A task that is still asleep when a schedule begins or ends wakes
/// with `CancellationError`.
public final class TestClock: Clock, Sendable {
  /// A moment on a ``TestClock``.
  public struct Instant: InstantProtocol {
    /// The time since the clock's zero.
    public let offset: Duration

    /// Returns this moment, advanced by a duration. If the result would be out of range, returns
    /// the first or the last possible moment.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.addingSaturated(duration))
    }

    /// Returns the time from this moment to another moment; negative if the other moment is
    /// earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset.subtractingSaturated(offset)
    }

    /// Returns whether one moment is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private typealias Watcher = AsyncStream<Never>.Continuation

  private struct State {
    var now = Instant(offset: .zero)
    var sleepingTasks = SleeperQueue()
    var watchers: [Int: (count: Int, watcher: Watcher)] = [:]
    var watcherNumber = 0

    /// A closure that is called whenever a task has fallen asleep.
    var observer: (@Sendable () -> Void)?

    mutating func add(_ watcher: Watcher, for count: Int) -> Int {
      watcherNumber += 1
      watchers[watcherNumber] = (count, watcher)
      return watcherNumber
    }

    /// Removes and returns the watchers for which enough tasks are asleep.
    mutating func takeWatchers() -> [Watcher] {
      if watchers.isEmpty { return [] }
      let count = sleepingTasks.count
      let done = watchers.filter { $0.value.count <= count }
      for number in done.keys { watchers[number] = nil }
      return done.values.map(\.watcher)
    }
  }

  private let state = Mutex(State())

  /// Creates a clock set to zero.
  public init() {}

  /// The current moment.
  public var now: Instant { state.withLock(\.now) }

  /// The smallest step of the clock, which is one attosecond.
  public var minimumResolution: Duration { Duration(attoseconds: 1) }

  /// The deadlines of all sleeping tasks, in the order in which they will wake.
  ///
  /// - Complexity: O(*n* log *n*) for *n* sleepers.
  public var sleepers: [Instant] { state.withLock { $0.sleepingTasks.deadlines } }

  /// Advances the clock by a duration and wakes the sleepers whose deadline has been reached.
  ///
  /// Every task that wakes finds the clock at its new time, even if its deadline was earlier. To
  /// wake a task that sleeps several times in a row, advance in steps with
  /// ``advanceToNextSleeper()``.
  ///
  /// - Parameter duration: The duration to advance the clock by; a negative duration counts as
  ///   zero.
  /// - Complexity: O(*k* log *n*) if *k* of *n* sleepers wake.
  public func advance(by duration: Duration) {
    wake { $0.now.advanced(by: max(duration, .zero)) }
  }

  /// Advances the clock to a moment and wakes the sleepers whose deadline has been reached.
  ///
  /// - Parameter instant: The moment to advance the clock to. If the moment has already passed, the
  ///   clock does not move.
  /// - Complexity: O(*k* log *n*) if *k* of *n* sleepers wake.
  public func advance(to instant: Instant) {
    wake { _ in instant }
  }

  /// Advances the clock to the earliest deadline and wakes the sleepers that have this deadline.
  ///
  /// - Returns: Whether any task was asleep.
  /// - Complexity: O(*k* log *n*) if *k* of *n* sleepers wake.
  @discardableResult
  public func advanceToNextSleeper() -> Bool {
    wake { $0.sleepingTasks.nextDeadline }
  }

  /// Waits until at least `count` tasks are asleep, or the calling task is cancelled.
  ///
  /// - Parameter count: The number of sleeping tasks to wait for. If the number is zero or less,
  ///   the method returns at once.
  public func asleep(_ count: Int) async {
    let (stream, waiting) = AsyncStream.makeStream(of: Never.self)
    let (number, watchers) = state.withLock { state in
      (state.add(waiting, for: count), state.takeWatchers())
    }
    for watcher in watchers { watcher.finish() }
    for await _ in stream {}
    // If the task was cancelled, its watcher is still registered.
    state.withLock { $0.watchers[number] = nil }
  }

  /// The number of tasks waiting in ``asleep(_:)``.
  package var watcherCount: Int { state.withLock(\.watchers.count) }

  /// Sleeps until the clock reaches a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment; if it has passed, the task does not sleep.
  ///   - tolerance: Ignored, because the clock is exact.
  /// - Throws: `CancellationError` as soon as the task is cancelled, or as soon as an exploration
  ///   that uses the clock begins or ends a schedule.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { $0.sleepingTasks.makeNumber() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { fallAsleep(number, until: deadline, $0) }
    } onCancel: {
      state.withLock { $0.sleepingTasks.remove(number) }?.resume(throwing: CancellationError())
    }
  }

  private func fallAsleep(
    _ number: Int, until deadline: Instant, _ sleeper: CheckedContinuation<Void, any Error>
  ) {
    let (result, watchers, observer) = state.withLock {
      state -> (Result<Void, any Error>?, [Watcher], (@Sendable () -> Void)?) in
      // This is checked under the lock, so that a later cancellation finds the task among the
      // sleepers.
      if Task.isCancelled { return (.failure(CancellationError()), [], nil) }
      if deadline <= state.now { return (.success(()), [], nil) }
      state.sleepingTasks.add(sleeper, numbered: number, until: deadline)
      return (nil, state.takeWatchers(), state.observer)
    }
    if let result { sleeper.resume(with: result) }
    for watcher in watchers { watcher.finish() }
    observer?()
  }

  /// Advances the clock to a new time and wakes the sleepers whose deadline has been reached.
  ///
  /// - Parameter next: A closure that returns the new time, or `nil` if the clock should not
  ///   change. A time before the current one does not set the clock back.
  /// - Returns: Whether `next` returned a time.
  @discardableResult
  private func wake(_ next: (inout State) -> Instant?) -> Bool {
    let woken: [CheckedContinuation<Void, any Error>]? = state.withLock { state in
      guard let time = next(&state) else { return nil }
      state.now = max(state.now, time)
      return state.sleepingTasks.takeSleepers(until: state.now)
    }
    // The lock has been released, because a task that wakes may read the clock at once.
    for sleeper in woken ?? [] { sleeper.resume() }
    return woken != nil
  }
}

extension TestClock {
  /// Whether any task is asleep.
  var hasSleepers: Bool { state.withLock { $0.sleepingTasks.count > 0 } }

  /// Sets the clock to a moment and wakes all sleepers with `CancellationError`. After that, the
  /// observer is called whenever a task has fallen asleep, on that task's thread.
  func restart(at instant: Instant, observer: @escaping @Sendable () -> Void) {
    let sleepers = state.withLock { state in
      state.now = instant
      state.observer = observer
      return state.sleepingTasks.takeSleepers(until: nil)
    }
    for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
  }

  /// Stops calling the observer.
  func removeObserver() {
    state.withLock { $0.observer = nil }
  }

  /// Wakes all sleepers with `CancellationError`.
  func cancelSleepers() {
    let sleepers = state.withLock { $0.sleepingTasks.takeSleepers(until: nil) }
    for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
  }
}
