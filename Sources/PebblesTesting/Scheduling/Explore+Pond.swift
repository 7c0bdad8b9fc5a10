import Pebbles
import PebblesAnalysis

/// Runs a pond and its bodies many times, each time with the tasks in a different order.
///
/// ```swift
/// try await explore(pond, schedules: .exhaustive()) { status in
///   status.running.count <= 2
/// }
/// ```
///
/// The exploration fails if the invariant is false after a step, if a law is broken, or if a run
/// would never end. It also fails if the order of the tasks decides how a body ends or whether a
/// pebble is skipped. Cancelled runs are not compared in this way, because a cancellation skips all
/// pebbles that have not started. A run is shut down at its end if the run, or a run inside one of
/// its bodies, has services or teardowns.
///
/// Laws are checked only at the end of a run. Because outcomes never change, a law that is broken
/// after a step is still broken at the end, when the complete report is available. If a run is
/// abandoned, the laws are checked against the pebbles that have settled.
///
/// Bodies and all their child tasks run on one thread, regardless of traits such as `.executor` and
/// `.blocking`. ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)`` describes which
/// work is not part of a schedule, and how long the exploration waits for such work. If bodies
/// share state, this state should be the same at the start of each run. To achieve this, use an
/// overload that takes a closure to make the pond. Avoid randomness: if there is jitter, give it a
/// seeded generator.
///
/// - Parameters:
///   - pond: The pond.
///   - schedules: The orders to try.
///   - clock: The clock used by the runs, reset for each of them; bodies may sleep on it too.
///   - limit: The time limit of each run, from its start, on `clock`; `nil` for no limit.
///   - timers: The rule that determines when the clock may advance.
///   - laws: The laws that every run must obey.
///   - outcomesMayDiffer: Whether bodies are allowed to end differently in different schedules.
///     Runs whose bodies end in the same way must still skip the same pebbles. To check this, each
///     run is compared with up to a hundred earlier runs, one for each combination of outcomes.
///   - stepLimit: The number of steps after which a run is abandoned and cancelled; at least 1.
///     Advances of the clock count as steps.
///   - patience: The real time to wait for work on other threads if no task can run and no task
///     sleeps on the clock. If no such work arrives in this time, the run is abandoned, because it
///     would never end.
///   - grace: The real time to wait for work on other threads before the clock is advanced.
///   - invariant: A condition that must be true after each step. It is called outside of any task,
///     and must be quick.
/// - Returns: The result of the exploration.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails; ``ExplorationError`` if the
///   arguments are invalid or the system cannot start a thread; `UnknownPebbleError` if a law
///   mentions a pebble that is not in the pond; `PondError` if the pond has errors in its
///   definition; `CancellationError` if the calling task is cancelled.
@discardableResult
public func explore(
  _ pond: Pond, schedules: Schedules, clock: TestClock = TestClock(), within limit: Duration? = nil,
  timers: Timers = .whenIdle, laws: [Law] = [], outcomesMayDiffer: Bool = false,
  stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  grace: Duration = .milliseconds(10), invariant: (@Sendable (RunStatus) -> Bool)? = nil
) async throws -> Exploration {
  try await explore(
    { _ in pond }, pond: \.self, schedules: schedules, clock: clock, within: limit,
    timers: timers, laws: { _ in laws }, outcomesMayDiffer: outcomesMayDiffer,
    stepLimit: stepLimit, patience: patience, grace: grace, invariant: invariant)
}

/// Explores the runs of a pond, with a closure that makes a new pond for each schedule.
///
/// The closure can also make the state that the bodies share, so that each run begins with the same
/// state.
///
/// ```swift
/// try await explore({ clock in makeBoot(FakeServer(clock)) }, schedules: .random())
/// ```
///
/// - Parameters:
///   - makePond: A closure that makes the pond, given the clock of the run. Each pond must have the
///     same pebbles. Laws need the handles of each new pond. To check laws, use the overload that
///     makes an object with these handles.
///   - schedules: The orders to try.
///   - clock: The clock used by the runs, reset for each of them.
///   - limit: The time limit of each run, from its start, on `clock`; `nil` for no limit.
///   - timers: The rule that determines when the clock may advance.
///   - outcomesMayDiffer: Whether bodies are allowed to end differently in different schedules.
///   - stepLimit: The number of steps after which a run is abandoned and cancelled; at least 1.
///     Advances of the clock count as steps.
///   - patience: The real time to wait for work on other threads if no task can run and no task
///     sleeps on the clock. If no such work arrives in this time, the run is abandoned, because it
///     would never end.
///   - grace: The real time to wait for work on other threads before the clock is advanced.
///   - invariant: A condition that must be true after each step. It is called outside of any task,
///     and must be quick.
/// - Returns: The result of the exploration.
/// - Throws: The same errors as the overload that takes a pond, and any error that `makePond`
///   throws.
@discardableResult
public func explore(
  _ makePond: @escaping @Sendable (TestClock) throws -> Pond, schedules: Schedules,
  clock: TestClock = TestClock(), within limit: Duration? = nil, timers: Timers = .whenIdle,
  outcomesMayDiffer: Bool = false, stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  grace: Duration = .milliseconds(10), invariant: (@Sendable (RunStatus) -> Bool)? = nil
) async throws -> Exploration {
  try await explore(
    makePond, pond: \.self, schedules: schedules, clock: clock, within: limit,
    timers: timers, laws: { _ in [] }, outcomesMayDiffer: outcomesMayDiffer,
    stepLimit: stepLimit, patience: patience, grace: grace, invariant: invariant)
}

/// Explores the runs of a pond that belongs to an object, such as an instance of a type whose
/// properties are the pebbles. A new object is made for each schedule, and laws can mention its
/// pebbles.
///
/// ```swift
/// try await explore(
///   { clock in Boot(server: FakeServer(clock)) }, pond: \.pond, schedules: .random(),
///   laws: { boot in [.exactlyOne(of: boot.home.succeeded, boot.offline.succeeded)] })
/// ```
///
/// - Parameters:
///   - makeSubject: A closure that makes the object that the pond belongs to, given the clock of
///     the run.
///   - pond: A closure that returns the object's pond. Each pond must have the same pebbles.
///   - schedules: The orders to try.
///   - clock: The clock used by the runs, reset for each of them.
///   - limit: The time limit of each run, from its start, on `clock`; `nil` for no limit.
///   - timers: The rule that determines when the clock may advance.
///   - laws: A closure that returns the laws that every run must obey.
///   - outcomesMayDiffer: Whether bodies are allowed to end differently in different schedules.
///   - stepLimit: The number of steps after which a run is abandoned and cancelled; at least 1.
///     Advances of the clock count as steps.
///   - patience: The real time to wait for work on other threads if no task can run and no task
///     sleeps on the clock. If no such work arrives in this time, the run is abandoned, because it
///     would never end.
///   - grace: The real time to wait for work on other threads before the clock is advanced.
///   - invariant: A condition that must be true after each step. It is called outside of any task,
///     and must be quick.
/// - Returns: The result of the exploration.
/// - Throws: The same errors as the overload that takes a pond, and any error that `makeSubject`
///   throws.
@discardableResult
public func explore<Subject>(
  _ makeSubject: @escaping @Sendable (TestClock) throws -> Subject,
  pond: @escaping @Sendable (Subject) -> Pond, schedules: Schedules,
  clock: TestClock = TestClock(), within limit: Duration? = nil, timers: Timers = .whenIdle,
  laws: @escaping @Sendable (Subject) -> [Law], outcomesMayDiffer: Bool = false,
  stepLimit: Int = 1_000_000, patience: Duration = .seconds(1),
  grace: Duration = .milliseconds(10), invariant: (@Sendable (RunStatus) -> Bool)? = nil
) async throws -> Exploration {
  let explorer = try Explorer(
    schedules, clock,
    ScheduleLoop.Options(
      timers: timers, stepLimit: stepLimit, patience: patience, grace: grace))
  return try await explorer.thread.call {
    try await explorer.explorePond(
      within: limit, on: clock, outcomesMayDiffer: outcomesMayDiffer, invariant
    ) {
      let subject = try makeSubject(clock)
      return (pond(subject), laws(subject))
    }
  }
}
