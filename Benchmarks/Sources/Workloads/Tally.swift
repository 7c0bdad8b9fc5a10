import Synchronization

/// The body that every contestant runs, one relaxed atomic increment, and the proof that it did.
public final class Tally: Sendable {
  @usableFromInline let increments = Atomic<Int>(0)

  /// A tally of nothing.
  public init() {}

  /// The whole of a body.
  @inlinable
  public func increment() {
    increments.wrappingAdd(1, ordering: .relaxed)
  }

  /// How many bodies have run.
  public var count: Int { increments.load(ordering: .relaxed) }

  /// For a contestant that counts on its own, in another language.
  public func add(_ increments: Int) {
    self.increments.wrappingAdd(increments, ordering: .relaxed)
  }
}

/// What the bodies that are planned to fail throw.
public struct PlannedFailure: Error {
  /// Failures have nothing to say: all of them are alike.
  public init() {}
}

/// How long the bodies of one run really slept, which is always a little more than they asked for.
public final class SleepLog: Sendable {
  private let slept: Mutex<[Duration]>

  /// A log of `count` bodies, none of which has slept.
  public init(count: Int) {
    slept = Mutex(Array(repeating: .zero, count: count))
  }

  /// Sleeps, and notes for how long; not at all where the duration is zero.
  public func sleep(_ pebble: Int, for duration: Duration) async throws {
    guard duration > .zero else { return }
    let start = ContinuousClock.now
    try await Task.sleep(for: duration)
    let end = ContinuousClock.now
    slept.withLock { $0[pebble] = end - start }
  }

  /// How long each body has slept.
  public var durations: [Duration] { slept.withLock { $0 } }
}
