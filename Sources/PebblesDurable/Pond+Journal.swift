public import Pebbles

extension Pond {
  /// Runs the pond and waits for the end of the run. If the process dies, the same call in the next
  /// process continues the run.
  ///
  /// ```swift
  /// let report = try await pond.run(journal: Journal(at: "nightly.journal"))
  /// ```
  ///
  /// Pebbles that had succeeded keep their outcomes and outputs. Bodies that were running are
  /// called again, with the same `PebbleContext.idempotencyKey`. See <doc:Durable> for the details.
  ///
  /// When the run ends, it is torn down as if by `Run.shutdown(within:)`, because there may be no
  /// later process to do this. After the teardown, the run is over, and the next call renames the
  /// old file by appending `.1` to its name, and begins a new run. Cancelling the calling task
  /// stops the run, and leaves the rest of the run to the next call.
  ///
  /// - Parameters:
  ///   - journal: The journal that records the run.
  ///   - values: The values that are given to the run. If the run is continued, they must be the
  ///     same as before, except for values that the journal could not keep.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the run may take from its start, which may have been in an
  ///     earlier process. The time between processes counts.
  ///   - shutdownLimit: The longest time that the teardown may take.
  ///   - report: The report of an earlier run, whose durations determine which pebbles start first.
  ///   - grant: The permission to run in the background, held while the run lasts.
  ///   - detached: Whether a run that is started in a body outlives that body.
  /// - Returns: The report of the run in all its processes. The result of the teardown is in
  ///   `Report.shutdown`. Errors from earlier processes have the type `RecordedError`.
  /// - Throws: ``JournalError`` if the journal cannot be used, `PondError` as in a run without a
  ///   journal, and `CancellationError` if the task is cancelled while it waits for the journal. If
  ///   one of these errors is thrown, nothing has been started.
  /// - Complexity: O(pebbles + atoms + bytes of the journal), plus the time of the bodies.
  public func run(
    journal: Journal, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    shutdownWithin shutdownLimit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, detached: Bool = false
  ) async throws -> Report {
    try await withOpen(journal, values, targets) { open in
      try await run(
        recording: open.recording, given: open.given(values), only: targets, clock: clock,
        within: limit, shutdownWithin: shutdownLimit, learningFrom: report, holding: grant,
        detached: detached)
    }
  }

  /// Starts a run of the pond, or continues the run in the journal, and returns without waiting for
  /// the end of the run.
  ///
  /// The run is over once it has been shut down. It is also over if, after the last pebble has
  /// settled, no service is up and there is nothing to tear down. If a process dies before that,
  /// the next process continues the run, and starts the services again. If a process dies during
  /// the shutdown, the next process completes the shutdown.
  ///
  /// - Parameters:
  ///   - journal: The journal that records the run.
  ///   - values: The values that the run is given, as in
  ///     ``run(journal:given:only:clock:within:shutdownWithin:learningFrom:holding:detached:)``.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the run may take from its start, which may have been in an
  ///     earlier process. The time between processes counts.
  ///   - report: The report of an earlier run, whose durations determine which pebbles start first.
  ///   - grant: The permission to run in the background, held while the run lasts.
  ///   - eventHistory: The number of recent events that the run keeps for later observers.
  ///   - detached: Whether a run that is started in a body outlives that body.
  /// - Returns: The started run.
  /// - Throws: The same errors as
  ///   ``run(journal:given:only:clock:within:shutdownWithin:learningFrom:holding:detached:)``.
  public func start(
    journal: Journal, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    learningFrom report: Report? = nil, holding grant: (any BackgroundGrant)? = nil,
    eventHistory: Int = 0, detached: Bool = false
  ) async throws -> Run {
    try await withOpen(journal, values, targets) { open in
      try start(
        recording: open.recording, given: open.given(values), only: targets, clock: clock,
        within: limit, learningFrom: report, holding: grant, eventHistory: eventHistory,
        detached: detached)
    }
  }

  /// Runs the pond, waits for a signal, and shuts the run down. If the process dies before the
  /// shutdown is complete, the same call in the next process continues the run.
  ///
  /// ```swift
  /// let report = try await pond.run(
  ///   untilSignal: [.terminate, .interrupt], journal: Journal(at: "service.journal"))
  /// exit(report.exitCode)
  /// ```
  ///
  /// A signal during the boot cancels the bodies and stops the services, but does not end the run.
  /// The next process continues the boot, and a pebble with a kept output is torn down only by the
  /// process that ends the run. The same happens when the calling task is cancelled. Once the boot
  /// is over, a signal ends the run, and the next process begins a new run. If the boot has failed,
  /// and nothing remains to be stopped or torn down, the run ends without a signal.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - journal: The journal that records the run.
  ///   - values: The values that the run is given, as in
  ///     ``run(journal:given:only:clock:within:shutdownWithin:learningFrom:holding:detached:)``.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - clock: The clock for the times in the report, for timeouts and for waits.
  ///   - limit: The longest time that the boot may take from the start of the run, which may have
  ///     been in an earlier process. The time between processes counts.
  ///   - shutdownLimit: The longest time that the shutdown may take.
  /// - Returns: The report of the run, with the result of the shutdown in `Report.shutdown`.
  /// - Throws: The same errors as
  ///   ``run(journal:given:only:clock:within:shutdownWithin:learningFrom:holding:detached:)``, and
  ///   `PondError` if the run cannot wait for these signals.
  public func run(
    untilSignal signals: [Signal], journal: Journal, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    shutdownWithin shutdownLimit: Duration? = nil
  ) async throws -> Report {
    try await withOpen(journal, values, targets) { open in
      try await run(
        untilSignal: signals, recording: open.recording, given: open.given(values), only: targets,
        clock: clock, within: limit, shutdownWithin: shutdownLimit)
    }
  }

  private func withOpen<Result>(
    _ journal: Journal, _ values: [GivenValue], _ targets: [any PebbleIdentifying]?,
    _ body: (OpenJournal) async throws -> Result
  ) async throws -> Result {
    let program = program()
    try program.pond.check()
    let open = try await journal.open(for: program, given: values, only: targets)
    do {
      return try await body(open)
    } catch {
      open.writer.close()
      throw error
    }
  }
}
