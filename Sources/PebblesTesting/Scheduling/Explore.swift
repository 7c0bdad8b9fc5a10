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
/// none can, the clock advances to the next moment a task sleeps for. So what happens depends on
/// nothing but the schedule, and repeats with it.
///
/// What is not on that thread is not part of the schedule: unstructured tasks (`Task { … }`,
/// `Task.detached`), actors with an executor of their own such as the main actor, callbacks of
/// queues, and sleeping on any other clock. They run as ever, and no test can know whether there
/// are any. So when nothing on the thread can go on, it waits, without spinning, for a task to come
/// back or for a task elsewhere to fall asleep on the clock:
///
/// - If no task sleeps on the clock, for `patience`. If nothing comes, the schedule is given up as
///   one that would never end.
/// - If a task does, until the main actor has had a turn, for `patience` at most, and then for
///   `grace`. If nothing comes, the clock advances, **even though something may still be under way
///   elsewhere**: that finds, when it comes back, that time has passed and timeouts have struck.
/// - As long as nothing has come from elsewhere in all schedules so far, most likely nothing will,
///   and there is such a wait only before the first advance of the clock, the second, the fourth,
///   the eighth and so on, counted over all schedules. At the others the clock advances at once.
///
/// ``Exploration/isDeterministic`` says whether anything came. Two steps never overlap, so this
/// finds wrong orders, not unsynchronised access to memory.
///
/// When the operation is over, or given up and cancelled, what it has left on the thread goes on
/// until it waits for something else; sleepers on the clock wake with `CancellationError`. What is
/// left even then, because it does not mind that, goes on elsewhere.
///
/// - Parameters:
///   - schedules: The orders to try.
///   - clock: The clock that is handed to the operation, the same each time, and set back each
///     time.
///   - timers: When the clock may advance.
///   - stepLimit: After how many steps a schedule is given up, and the operation cancelled; at
///     least 1. A step is what a task does from one suspension to the next, an advance of the
///     clock, or a wait for what is elsewhere.
///   - patience: How long, in real time, nothing may come from elsewhere, while nothing can go on
///     and no task sleeps on the clock, before it is taken that nothing will.
///   - grace: How long, in real time, to wait for what is elsewhere before the clock is advanced.
///     Longer is safer where much is done elsewhere, but takes that long with each advance.
///   - operation: What to run. It should begin from the same state each time. What it throws is a
///     failure.
/// - Returns: What was tried.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails, ``ExplorationError`` if the
///   schedules cannot be meant or there is no thread, `CancellationError` if the calling task is
///   cancelled.
@discardableResult
public func explore(
  schedules: Schedules, clock: TestClock = TestClock(), timers: Timers = .whenIdle,
  stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  grace: Duration = .milliseconds(10),
  _ operation: @escaping @Sendable (TestClock) async throws -> Void
) async throws -> Exploration {
  let explorer = try Explorer(
    schedules, clock,
    ScheduleLoop.Options(
      timers: timers, stepLimit: stepLimit, patience: patience, grace: grace))
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
