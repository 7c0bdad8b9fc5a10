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
/// several tasks could run, the schedule chooses one, which runs until it next suspends. When no
/// task can run, the clock advances to the next deadline of a sleeper. The result depends only on
/// the schedule, and the same schedule reproduces it.
///
/// Work outside of that thread is not part of the schedule: unstructured tasks (`Task { … }`,
/// `Task.detached`), actors with their own executors (such as the main actor), queue callbacks, and
/// sleeping on any other clock. Such work runs as usual, and the exploration cannot detect whether
/// any is under way. When no task on the thread can run, the exploration therefore blocks until
/// another thread makes a task runnable or puts a task to sleep on the clock:
///
/// - If no task sleeps on the clock, the exploration waits for at most `patience`. If nothing
///   happens in this time, the schedule is abandoned, because it would never end.
/// - If a task sleeps on the clock, the exploration first waits until the main actor has run its
///   waiting jobs, but for at most `patience`. It then waits for at most `grace`. If nothing
///   happens in this time, the clock advances, **even though work may still be under way on another
///   thread**. By the time that work ends, the clock has moved on and tasks may have timed out.
/// - If no other thread has made a task runnable or put a task to sleep on the clock in any
///   schedule so far, it is unlikely that one ever will. The exploration then waits only before
///   the first advance of the clock, the second, the fourth, the eighth and so on, counted over all
///   schedules.
///
/// ``Exploration/isDeterministic`` is `false` if another thread made a task runnable, or put a task
/// to sleep on the clock. Because two steps never overlap, an exploration finds errors caused by
/// the order of steps, but not data races.
///
/// When the operation is over, or is abandoned and cancelled, its remaining tasks on the thread run
/// until they end or wait for other threads. Sleepers on the clock wake with `CancellationError`.
/// Tasks that ignore the cancellation continue in the concurrency pool.
///
/// - Parameters:
///   - schedules: The orders to try.
///   - clock: The clock that is passed to the operation. All schedules use the same clock, which is
///     reset for each of them.
///   - timers: The rule that determines when the clock may advance.
///   - stepLimit: The number of steps after which a schedule is abandoned and the operation
///     cancelled; at least 1. A step is the work of a task from one suspension to the next, an
///     advance of the clock, or a wait for work on other threads.
///   - patience: The real time to wait for work on other threads if no task can run and no task
///     sleeps on the clock. If no such work arrives in this time, the schedule is abandoned,
///     because it would never end.
///   - grace: The real time to wait for work on other threads before the clock is advanced. A
///     longer time is safer if other threads do much of the work, but each advance may take that
///     long.
///   - operation: The operation, which should begin with the same state each time. If it throws an
///     error, the exploration fails.
/// - Returns: The result of the exploration.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails; ``ExplorationError`` if the
///   arguments are invalid or the system cannot start a thread; `CancellationError` if the calling
///   task is cancelled.
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
      try explorer.checkReplay(trial)
      if !explorer.goOn(after: trial) { return explorer.exploration }
    }
  }
}
