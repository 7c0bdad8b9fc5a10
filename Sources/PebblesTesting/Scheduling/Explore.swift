import Pebbles
import Synchronization

/// Runs an operation many times, each time with its tasks in another order.
///
/// ```swift
/// try await explore(schedules: .random(count: 1_000, seed: 7)) { clock in
///   let cache = Cache(clock: clock)
///   async let first = cache.value(for: "a")
///   async let second = cache.value(for: "a")
///   #expect(try await first == second)
/// }
/// ```
///
/// The operation, its child tasks, and all tasks of runs that it starts, run on one thread:
/// whenever several could go on, the schedule says which one does, until it next suspends. When
/// none can, the clock advances to the next moment somebody sleeps for. So what happens depends on
/// nothing but the schedule, and repeats with it.
///
/// What is not on that thread is not part of the schedule: unstructured tasks (`Task { … }`,
/// `Task.detached`), actors with an executor of their own such as the main actor, callbacks of
/// queues, and sleeping on any other clock. They run as ever; when nothing else can go on they are
/// waited for, without spinning, and ``Exploration/isDeterministic`` says that there were any. Two
/// steps never overlap, so this finds wrong orders, not unsynchronised access to memory.
///
/// - Parameters:
///   - schedules: The orders to try.
///   - clock: The clock that is handed to the operation, the same each time, and set back each
///     time.
///   - timers: When the clock may advance.
///   - stepLimit: After how many steps a schedule is given up, and the operation cancelled. What
///     does not mind that goes on elsewhere.
///   - patience: How long, in real time, to wait for what runs elsewhere before it is taken that
///     nothing does.
///   - operation: What to run. It should begin from the same state each time. What it throws is a
///     failure.
/// - Returns: What was tried.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails, ``ExplorationError`` if the
///   schedules cannot be meant, `CancellationError` if the calling task is cancelled.
@discardableResult
public func explore(
  schedules: Schedules, clock: TestClock = TestClock(), timers: Timers = .whenIdle,
  stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  _ operation: @escaping @Sendable (TestClock) async throws -> Void
) async throws -> Exploration {
  let explorer = try Explorer(
    schedules, clock,
    ScheduleLoop.Options(
      timers: timers, stepLimit: stepLimit, patience: patience, expectsOutsideWork: true))
  return try await explorer.thread.call {
    var explorer = explorer
    while true {
      let thrown = Mutex<(any Error)?>(nil)
      let trial = await explorer.runNext {
        do {
          try await operation(clock)
        } catch {
          thrown.withLock { $0 = error }
        }
      }
      // First: a task that is cancelled makes operations throw that.
      try Task.checkCancellation()
      try explorer.check(trial)
      if let error = thrown.withLock({ $0 }) { throw explorer.failure(.threw(error), trial) }
      if !explorer.goOn(after: trial) { return explorer.exploration }
    }
  }
}
