import Pebbles
import PebblesAnalysis

/// Runs a pond many times, bodies included, each time with its tasks in another order.
///
/// ```swift
/// try await explore(pond, schedules: .exhaustive()) { status in
///   status.running.count <= 2
/// }
/// ```
///
/// It fails if the invariant is false after a step, if a law is broken, if a body or a skip depends
/// on the order, or if a run would never end. Runs that are cancelled may differ: what has not
/// started by then is skipped. Runs with services or teardowns are shut down at their end.
///
/// Laws hold after each step or not at all: outcomes never change, so one that is broken after some
/// step is broken at the end too. That is where they are asked, when there is a whole report to
/// show; and of what has settled, if the run is given up.
///
/// Bodies run on one thread, wherever their pebbles would have them run (`.executor`, `.blocking`),
/// with all their child tasks; what is not part of a schedule, and how long it is waited for, is
/// described with ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)``. Bodies that
/// share state with each other should find it the same each time: hand in a closure that makes the
/// pond instead. And what is random should not be: give jitter, where there is any, a generator
/// with a seed.
///
/// - Parameters:
///   - pond: The pond.
///   - schedules: The orders to try.
///   - clock: The clock of the runs, set back for each of them; also for bodies to sleep on.
///   - limit: How long a run takes at the latest, from its start, on that clock.
///   - timers: When the clock may advance.
///   - laws: What is to be true of every run.
///   - outcomesMayDiffer: Whether bodies may end otherwise in one schedule than in another. What
///     follows from how they end must be the same all the same; for that, each run is compared with
///     the first hundred ways in which pebbles have ended.
///   - stepLimit: After how many steps a run is given up, and cancelled; at least 1. Advances of
///     the clock are among them.
///   - patience: How long, in real time, nothing may come from elsewhere, while nothing can go on
///     and no task sleeps on the clock, before it is taken that nothing will.
///   - grace: How long, in real time, to wait for what is elsewhere before the clock is advanced.
///   - invariant: Called after each step, not on a task; it must be quick.
/// - Returns: What was tried.
/// - Throws: ``ScheduleFailure`` for the first schedule that fails, ``ExplorationError`` if the
///   schedules cannot be meant or there is no thread, `UnknownPebbleError` if a law mentions a
///   pebble that the pond does not have, `PondError` if the pond is defined wrongly,
///   `CancellationError` if the calling task is cancelled.
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

/// Runs a pond that is made anew for each schedule, with the state that its bodies share.
///
/// ```swift
/// try await explore({ clock in makeBoot(FakeServer(clock)) }, schedules: .random())
/// ```
///
/// - Parameters:
///   - makePond: Makes the pond, given the clock of the run: the same pebbles each time. As their
///     handles are not the same, laws need what holds these: hand in a closure that makes that.
///   - schedules: The orders to try.
///   - clock: The clock of the runs, set back for each of them.
///   - limit: How long a run takes at the latest, from its start, on that clock.
///   - timers: When the clock may advance.
///   - outcomesMayDiffer: Whether bodies may end otherwise in one schedule than in another.
///   - stepLimit: After how many steps a run is given up, and cancelled; at least 1. Advances of
///     the clock are among them.
///   - patience: How long, in real time, nothing may come from elsewhere, while nothing can go on
///     and no task sleeps on the clock, before it is taken that nothing will.
///   - grace: How long, in real time, to wait for what is elsewhere before the clock is advanced.
///   - invariant: Called after each step, not on a task; it must be quick.
/// - Returns: What was tried.
/// - Throws: What exploring one pond throws, and what `makePond` does.
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

/// Runs the pond of something that is made anew for each schedule, such as a type that holds its
/// pebbles, with laws about them.
///
/// ```swift
/// try await explore(
///   { clock in Boot(server: FakeServer(clock)) }, pond: \.pond, schedules: .random(),
///   laws: { boot in [.exactlyOne(of: boot.home.succeeded, boot.offline.succeeded)] })
/// ```
///
/// - Parameters:
///   - makeSubject: Makes what has the pond, given the clock of the run.
///   - pond: Its pond, with the same pebbles each time.
///   - schedules: The orders to try.
///   - clock: The clock of the runs, set back for each of them.
///   - limit: How long a run takes at the latest, from its start, on that clock.
///   - timers: When the clock may advance.
///   - laws: What is to be true of every run.
///   - outcomesMayDiffer: Whether bodies may end otherwise in one schedule than in another.
///   - stepLimit: After how many steps a run is given up, and cancelled; at least 1. Advances of
///     the clock are among them.
///   - patience: How long, in real time, nothing may come from elsewhere, while nothing can go on
///     and no task sleeps on the clock, before it is taken that nothing will.
///   - grace: How long, in real time, to wait for what is elsewhere before the clock is advanced.
///   - invariant: Called after each step, not on a task; it must be quick.
/// - Returns: What was tried.
/// - Throws: What exploring one pond throws, and what `makeSubject` does.
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
