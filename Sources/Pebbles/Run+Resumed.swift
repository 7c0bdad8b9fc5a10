extension Run {
  /// Runs again what has not succeeded, and what depends on it: *rerun from where it failed*.
  ///
  /// ```swift
  /// var run = try pond.start()
  /// while try await !run.report.isGoalReached, await retryIsWanted() {
  ///   run = try await run.resumed()
  /// }
  /// ```
  ///
  /// A pebble is *kept* if it has succeeded, what it was handed is kept, and what is kept makes its
  /// condition true, whatever becomes of everything else. It counts as having succeeded from the
  /// start, with its output and its cases; its body is not called. So a fallback of what is tried
  /// again is not kept, and nothing that is kept depends on what runs anew. All else begins as in a
  /// run of its own: retries count from one, `.enabled` is asked again, and a deadline is new.
  ///
  /// What is not kept and has been opened is torn down first, in the order of a shutdown. What is
  /// kept stays up and belongs to this run: a service goes on, is restarted, and ends here, and the
  /// new run sees that. A service that others restart with, or that stops before others, is kept
  /// only with all of them; what has taken the output of one that was restarted since is not kept.
  /// If a body of this run still goes on that was given up, the new run does not call it again
  /// before that has ended.
  ///
  /// To shut either run down shuts down the new one, then this one, with one report. To cancel the
  /// new one ends that alone; this one can then be resumed again. The pond may have got pebbles and
  /// other conditions since; these count. Of a run that was shut down nothing is kept that was a
  /// service, had a teardown or other runs inside of it, or was handed the output of such a pebble.
  ///
  /// - Parameters:
  ///   - values: What the new run is given; of the others, what this run was given. What read a
  ///     value that is another one now, or that cannot be compared, is not kept.
  ///   - targets: What the new run is of, and all that this needs; what else was up is torn down.
  ///     If `nil`, what this run was of.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the new run takes at the latest, from its start.
  ///   - report: An earlier run, from which it learns what to start first.
  ///   - grant: Permission to go on in the background, held while the new run lasts.
  ///   - eventHistory: How many of its newest events it keeps for observers that come later.
  /// - Returns: The new run under way, with an identifier of its own. The
  ///   ``PebbleContext/idempotencyKey`` of a pebble stays what it was.
  /// - Throws: ``PondError`` if this run still boots, is being shut down, or has been resumed by a
  ///   run that is still going; if the pond is defined wrongly or runs itself; if what the new
  ///   run is of is nothing, or no pebble of the pond; or inside of a service that is not kept,
  ///   which is stopped first. Nothing was started then; and nothing torn
  ///   down, unless this run was shut down meanwhile.
  /// - Complexity: O(pebbles + atoms), beside what runs.
  public func resumed(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    within limit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, eventHistory: Int = 0
  ) async throws(PondError) -> Run {
    let program = core.program.latest
    var options = try RunOptions(
      given: values, only: targets, within: limit, learningFrom: report,
      eventHistory: eventHistory, resuming: core.options, of: program)
    try program.checkThatItDoesNotRunItself()
    let line = try core.beginResumption()
    options.resumption = try await core.prepareResumption(
      in: line, by: program, options)
    let run = RunCore(program, RunClock(clock), options)
    try run.joinLine()
    run.start(holding: grant)
    return Run(run)
  }
}
