import Synchronization

/// A counter of the bodies that have run. The body of every contestant is a single relaxed atomic
/// increment of this counter.
public final class Tally: Sendable {
  @usableFromInline let increments = Atomic<Int>(0)

  /// Creates a tally of zero.
  public init() {}

  /// Counts a call to a body.
  @inlinable
  public func increment() {
    increments.wrappingAdd(1, ordering: .relaxed)
  }

  /// The number of bodies that have run.
  public var count: Int { increments.load(ordering: .relaxed) }

  /// Adds a number of calls counted by a contestant in another language.
  public func add(_ increments: Int) {
    self.increments.wrappingAdd(increments, ordering: .relaxed)
  }
}

/// The error thrown by bodies that are planned to fail.
public struct PlannedFailure: Error {
  /// Creates the error.
  public init() {}
}

/// A log of the time that each body of a run actually slept. A sleep is always slightly longer than
/// requested.
public final class SleepLog: Sendable {
  private let slept: Mutex<[Duration]>

  /// Creates a log for `count` bodies.
  public init(count: Int) {
    slept = Mutex(Array(repeating: .zero, count: count))
  }

  /// Sleeps, and records the actual duration. Does nothing if the requested duration is zero.
  public func sleep(_ pebble: Int, for duration: Duration) async throws {
    guard duration > .zero else { return }
    let start = ContinuousClock.now
    try await Task.sleep(for: duration)
    let end = ContinuousClock.now
    slept.withLock { $0[pebble] = end - start }
  }

  /// The time that each body has slept.
  public var durations: [Duration] { slept.withLock { $0 } }
}
