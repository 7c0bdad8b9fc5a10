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
  /// This is a real run, with conditions, limits, priorities, timeouts, retries, services and what
  /// a failure means; but in the place of bodies there are stand-ins, which take their time on a
  /// virtual clock, and return or throw ``SimulatedFailure``. All on one thread, so that the same
  /// simulation gives the same report, and in no time: when nothing else can go on, the clock
  /// advances.
  ///
  /// To fail, to be disabled, and which cases hold, mean the same as in `PebblesAnalysis`, see
  /// `Assumption` there; but only a simulation goes by the failure policy of the pond.
  ///
  /// Besides retry filters and a custom failure policy, which are logic, no code of the
  /// pond is called: no body, no teardown, no `.enabled`, nothing around bodies. So there are no
  /// outputs: the report has none. Waits between
  /// attempts are as random as their jitter. At its end the run is shut down, so that
  /// `Report.shutdown` tells in which order things would be torn down.
  ///
  /// - Parameters:
  ///   - failing: The pebbles that fail, in every attempt. All others succeed.
  ///   - flaky: How many attempts fail before one succeeds.
  ///   - taking: How long each attempt takes, or a service until it is ready; no time if not given.
  ///   - disabling: The pebbles that take no part, as if their `.enabled` said so. All others do.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - assumptions: What else is assumed, such as which cases hold: `.fails(database, as:
  ///     locked)`,
  ///     `.succeeds(flip, as: .tails)`.
  ///   - limit: How long the run takes at the latest, from its start.
  /// - Returns: What happened.
  /// - Throws: ``SimulationError`` if a pebble is not of this pond, a time is negative or a pebble
  ///   would be tried again without end; `UnknownPebbleError` and `AssumptionError` for what is
  ///   assumed, and for a pebble that succeeds, on the value of which others depend, if it is not
  ///   said; `PondError` if the pond is defined wrongly, or the
  ///   limit is not longer than zero; ``ExplorationError/noThread``.
  /// - Complexity: O((pebbles + attempts) · log pebbles + atoms), like a run.
  public func simulate(
    failing: [any PebbleIdentifying] = [],
    flaky: KeyValuePairs<any PebbleIdentifying, Int> = [:],
    taking: KeyValuePairs<any PebbleIdentifying, Duration> = [:],
    disabling: [any PebbleIdentifying] = [], only targets: [any PebbleIdentifying]? = nil,
    given assumptions: [Assumption] = [], within limit: Duration? = nil
  ) async throws -> Report {
    let program = self.program()
    var cast = Cast(program.pond.graph)
    for pebble in failing { cast.fail(pebble, attempts: .max) }
    for (pebble, attempts) in flaky { cast.fail(pebble, attempts: attempts) }
    for (pebble, duration) in taking { cast.delay(pebble, by: duration) }
    for pebble in disabling { cast.disable(pebble) }
    guard cast.problems.isEmpty else {
      throw SimulationError(pondName: name, problems: cast.problems)
    }
    let plan = try SimulationPlan(assumptions, of: program.pond)
    cast.assume(plan)
    let simulation = Simulation(program, cast)
    let explorer = try Explorer(.inOrder, simulation.clock, ScheduleLoop.Options())
    let report = try await explorer.thread.call {
      try await simulation.run(targets, limit, explorer)
    }
    try plan.checkValues(report.storage.state, of: program.pond)
    return report
  }
}
