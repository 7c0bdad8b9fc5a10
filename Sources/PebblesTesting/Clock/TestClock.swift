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
/// A task that sleeps on it is woken when its time comes, in the order of the deadlines, and of
/// those with the same deadline in the order in which they fell asleep. A sleeper whose task is
/// cancelled wakes at once with `CancellationError`. The clock begins at zero, does not go back
/// however it is advanced, and stays at the last instant there is when it is advanced beyond.
///
/// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)`` advances such a clock by itself,
/// when nothing else can go on, and sets it back for each schedule; a task that sleeps on it when a
/// schedule is over wakes with `CancellationError`.
public final class TestClock: Clock, Sendable {
  /// A moment on a ``TestClock``.
  public struct Instant: InstantProtocol {
    /// The time since the beginning of the clock.
    public let offset: Duration

    /// The moment that much later; the last or the first one there is if it would be beyond.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.addingSaturated(duration))
    }

    /// The time from this moment to another one.
    public func duration(to other: Instant) -> Duration {
      other.offset.subtractingSaturated(offset)
    }

    /// Whether a moment is before another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private typealias Watcher = AsyncStream<Never>.Continuation

  private struct State {
    var now = Instant(offset: .zero)
    var dormitory = Dormitory()
    var watchers: [Int: (count: Int, watcher: Watcher)] = [:]
    var watcherNumber = 0

    /// Called whenever a task has fallen asleep.
    var observer: (@Sendable () -> Void)?

    mutating func add(_ watcher: Watcher, for count: Int) -> Int {
      watcherNumber += 1
      watchers[watcherNumber] = (count, watcher)
      return watcherNumber
    }

    /// Those that waited for as many as are asleep, no longer waiting.
    mutating func takeWatchers() -> [Watcher] {
      if watchers.isEmpty { return [] }
      let count = dormitory.count
      let done = watchers.filter { $0.value.count <= count }
      for number in done.keys { watchers[number] = nil }
      return done.values.map(\.watcher)
    }
  }

  private let state = Mutex(State())

  /// Makes a clock that stands at zero.
  public init() {}

  /// The present moment.
  public var now: Instant { state.withLock(\.now) }

  /// One attosecond: the clock has no grain.
  public var minimumResolution: Duration { Duration(attoseconds: 1) }

  /// Until when those sleep that do, in the order in which they will wake.
  ///
  /// - Complexity: O(*n* log *n*) for *n* sleepers.
  public var sleepers: [Instant] { state.withLock { $0.dormitory.deadlines } }

  /// Lets time pass, and wakes those whose time comes.
  ///
  /// They all find the clock at its new time, also those whose deadline was before: who sleeps in
  /// steps is best woken in steps, see ``advanceToNextSleeper()``.
  ///
  /// - Parameter duration: How much; a negative time counts as none.
  /// - Complexity: O(*k* log *n*) if *k* of *n* sleepers wake.
  public func advance(by duration: Duration) {
    wake { $0.now.advanced(by: max(duration, .zero)) }
  }

  /// Lets time pass up to a moment, and wakes those whose time comes.
  ///
  /// - Parameter instant: Up to when; nothing happens if it is over.
  /// - Complexity: O(*k* log *n*) if *k* of *n* sleepers wake.
  public func advance(to instant: Instant) {
    wake { _ in instant }
  }

  /// Lets time pass up to the earliest moment a task sleeps for, and wakes all who sleep until
  /// then.
  ///
  /// - Returns: Whether any task was asleep.
  /// - Complexity: O(*k* log *n*) if *k* of *n* sleepers wake.
  @discardableResult
  public func advanceToNextSleeper() -> Bool {
    wake { $0.dormitory.nextDeadline }
  }

  /// Waits until so many are asleep, or the waiting task is cancelled.
  ///
  /// - Parameter count: How many; for none or fewer this returns at once.
  public func asleep(_ count: Int) async {
    let (stream, waiting) = AsyncStream.makeStream(of: Never.self)
    let (number, watchers) = state.withLock { state in
      (state.add(waiting, for: count), state.takeWatchers())
    }
    for watcher in watchers { watcher.finish() }
    for await _ in stream {}
    // Still there if the task was cancelled.
    state.withLock { $0.watchers[number] = nil }
  }

  /// How many wait for others to fall asleep.
  package var watcherCount: Int { state.withLock(\.watchers.count) }

  /// Sleeps until the clock has been advanced to a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment; one that is over does not suspend.
  ///   - tolerance: Ignored: the clock is exact.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let bed = state.withLock { $0.dormitory.makeBed() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { fallAsleep(bed, until: deadline, $0) }
    } onCancel: {
      state.withLock { $0.dormitory.remove(bed) }?.resume(throwing: CancellationError())
    }
  }

  private func fallAsleep(
    _ bed: Int, until deadline: Instant, _ sleeper: CheckedContinuation<Void, any Error>
  ) {
    let (result, watchers, observer) = state.withLock {
      state -> (Result<Void, any Error>?, [Watcher], (@Sendable () -> Void)?) in
      // Asked under the lock: who is cancelled later is found among the sleepers.
      if Task.isCancelled { return (.failure(CancellationError()), [], nil) }
      if deadline <= state.now { return (.success(()), [], nil) }
      state.dormitory.add(sleeper, in: bed, until: deadline)
      return (nil, state.takeWatchers(), state.observer)
    }
    if let result { sleeper.resume(with: result) }
    for watcher in watchers { watcher.finish() }
    observer?()
  }

  /// - Parameter next: The new time, or `nil` for none.
  /// - Returns: Whether there is a new time.
  @discardableResult
  private func wake(_ next: (inout State) -> Instant?) -> Bool {
    let woken: [CheckedContinuation<Void, any Error>]? = state.withLock { state in
      guard let time = next(&state) else { return nil }
      state.now = max(state.now, time)
      return state.dormitory.takeSleepers(until: state.now)
    }
    // Out here, because a task that wakes may look at the clock at once.
    for sleeper in woken ?? [] { sleeper.resume() }
    return woken != nil
  }
}

extension TestClock {
  /// Whether any task is asleep.
  var hasSleepers: Bool { state.withLock { $0.dormitory.count > 0 } }

  /// Puts the clock back to where it was, with no task asleep. From now on the observer is called
  /// whenever a task has fallen asleep, on the thread where that was.
  func restart(at instant: Instant, observer: @escaping @Sendable () -> Void) {
    let sleepers = state.withLock { state in
      state.now = instant
      state.observer = observer
      return state.dormitory.takeSleepers(until: nil)
    }
    for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
  }

  /// Calls the observer no more when a task falls asleep.
  func removeObserver() {
    state.withLock { $0.observer = nil }
  }

  /// Wakes all who sleep with a `CancellationError`.
  func cancelSleepers() {
    let sleepers = state.withLock { $0.dormitory.takeSleepers(until: nil) }
    for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
  }
}
