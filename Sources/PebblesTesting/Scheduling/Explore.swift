import Pebbles
import Synchronization

/// Runs an operation many times, each time with its tasks in a different order.
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
/// The operation, its child tasks, and all tasks of runs that it starts share one thread. Whenever
/// several of them could run, the schedule chooses one, which runs until it next suspends. When
/// none can run, the clock advances to the next deadline of a sleeper. The result depends only on
/// the schedule, and the same schedule reproduces it.
///
/// Work outside of that thread is not part of the schedule: unstructured tasks (`Task { … }`,
/// `Task.detached`), actors with an executor of their own such as the main actor, callbacks of
/// queues, and sleeping on any other clock. Such work runs as usual, and no test can know whether
/// there is any. So when no task on the thread can run, the exploration waits, without spinning,
/// for a task to come back or for a task on another thread to fall asleep on the clock:
///
/// - If no task sleeps on the clock, it waits for `patience`. If nothing comes, the schedule is
///   given up, because it would never end.
/// - If a task sleeps on the clock, it waits until the main actor has had a turn, for `patience` at
///   most, and then for `grace`. If nothing comes, the clock advances, **even though work may still
///   be under way on another thread**: when that work comes back, time has passed and tasks may
///   have timed out.
/// - If nothing has come from other threads in any schedule so far, most likely nothing will. Then
///   the exploration waits only before the first advance of the clock, the second, the fourth, the
///   eighth and so on, counted over all schedules. It does not wait before the other advances.
///
/// ``Exploration/isDeterministic`` says whether anything came from another thread. Two steps never
/// overlap, so an exploration finds wrong orders, but not unsynchronised access to memory.
///
/// When the operation is over, or is given up and cancelled, its remaining tasks on the thread run
/// until they wait for something else; sleepers on the clock wake with `CancellationError`. Tasks
/// that ignore the cancellation continue on the concurrency pool.
///
/// - Parameters:
///   - schedules: The orders to try.
///   - clock: The clock passed to the operation: always the same one, reset for each schedule.
///   - timers: The moments at which the clock may advance.
///   - stepLimit: The number of steps after which a schedule is given up and the operation
///     cancelled; at least 1. A step is the work of a task from one suspension to the next, an
///     advance of the clock, or a wait for work on other threads.
///   - patience: The real time to wait for work on other threads if no task can run and no task
///     sleeps on the clock. If nothing comes, the schedule is given up, because it would never end.
///   - grace: The real time to wait for work on other threads before the clock is advanced. A
///     longer time is safer if much is done on other threads, but is spent at each advance.
///   - operation: The operation. It should begin from the same state each time. An error it throws
///     is a failure.
/// - Returns: The result of the exploration.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails, ``ExplorationError`` if the
///   arguments are invalid or there is no thread left, `CancellationError` if the calling task is
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
      // Checked first, because cancellation makes operations throw too.
      try Task.checkCancellation()
      try explorer.check(trial)
      if let error = thrown.withLock({ $0 }) { throw explorer.failure(.threw(error), trial) }
      if !explorer.goOn(after: trial) { return explorer.exploration }
    }
  }
}
