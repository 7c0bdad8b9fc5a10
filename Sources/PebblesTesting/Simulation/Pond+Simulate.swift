public import Pebbles
public import PebblesAnalysis

extension Pond {
  /// Runs the logic of the pond without its bodies.
  ///
  /// ```swift
  /// let report = try await pond.simulate(failing: [ping, cores], taking: [launches: .seconds(2)])
  /// #expect(report.ran(showOffline))
  /// ```
  ///
  /// This is a real run, with conditions, limits, priorities, timeouts, retries, services and the
  /// failure policy. Only the bodies are replaced by stand-ins, which spend the given time on a
  /// virtual clock, and then return or throw ``SimulatedFailure``. Everything runs on one thread,
  /// and the clock advances when no task can run. A simulation therefore takes almost no real time.
  /// Repeating it gives the same report, unless waits between attempts are random.
  ///
  /// Failures, disabled pebbles and cases have the same meaning as in `PebblesAnalysis`; see
  /// `Assumption` there. Unlike the analysis, a simulation applies the pond's failure policy as
  /// soon as a failure occurs. The error message of an assumption is ignored.
  ///
  /// A simulation calls no body, no teardown, no `.enabled` closure and no code around bodies, so
  /// the report has no outputs. It calls retry filters and a custom failure policy, because these
  /// are part of the logic. Waits between attempts are random if the retry policy has jitter. At
  /// the end, the run is shut down, so that `Report.shutdown` shows the order of teardowns.
  ///
  /// - Parameters:
  ///   - failing: The pebbles that fail in every attempt. All others succeed.
  ///   - flaky: The number of attempts that fail before one succeeds, keyed by pebble.
  ///   - taking: The duration of each attempt, or the time until a service is ready, keyed by
  ///     pebble; zero for a pebble that is not listed.
  ///   - disabling: The pebbles to disable, as if by `.enabled`. All other pebbles are enabled.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - assumptions: Further assumptions, for example about the cases that hold:
  ///     `.fails(database, as: locked)`, `.succeeds(flip, as: .tails)`.
  ///   - limit: The time limit of the run, from its start; `nil` for no limit.
  /// - Returns: The report of the simulated run.
  /// - Throws: ``SimulationError`` if a pebble to fail, delay or disable is not in this pond, if a
  ///   flaky or delayed pebble has a given value, if a time or a number of attempts is negative, if
  ///   a pebble would be tried more than 10,000 times, or if the run would never end;
  ///   `UnknownPebbleError` if an assumption names a pebble that is not in the pond;
  ///   `AssumptionError` if the assumptions are impossible, or if conditions depend on the value of
  ///   a succeeding pebble and no value is assumed; `PondError` if the pond has errors in its
  ///   definition, if a target is not in the pond, or if the limit is not longer than zero;
  ///   ``ExplorationError/noThread`` if the system cannot start a thread; `CancellationError` if
  ///   the calling task is cancelled.
  /// - Complexity: O((pebbles + attempts) · log pebbles + atoms).
  public func simulate(
    failing: [any PebbleIdentifying] = [],
    flaky: KeyValuePairs<any PebbleIdentifying, Int> = [:],
    taking: KeyValuePairs<any PebbleIdentifying, Duration> = [:],
    disabling: [any PebbleIdentifying] = [], only targets: [any PebbleIdentifying]? = nil,
    given assumptions: [Assumption] = [], within limit: Duration? = nil
  ) async throws -> Report {
    let program = self.program()
    var standIns = StandIns(program.pond)
    for pebble in failing { standIns.find(pebble) }
    for (pebble, attempts) in flaky { standIns.fail(pebble, attempts: attempts) }
    for (pebble, duration) in taking { standIns.delay(pebble, by: duration) }
    for pebble in disabling { standIns.disable(pebble) }
    guard standIns.problems.isEmpty else {
      throw SimulationError(pondName: name, problems: standIns.problems)
    }
    let plan = try SimulationPlan(
      failing.map { Assumption.fails($0) } + assumptions, of: program.pond)
    standIns.assume(plan)
    let simulation = Simulation(program, standIns)
    let explorer = try Explorer(.inOrder, simulation.clock, ScheduleLoop.Options())
    let report = try await explorer.thread.call {
      try await simulation.run(targets, limit, explorer)
    }
    try plan.checkValues(report.storage.state, of: program.pond)
    return report
  }
}
