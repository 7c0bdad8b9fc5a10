public import Pebbles

extension Pond {
  /// Runs the pond and waits for its end; if the process dies, the same line goes on in the next.
  ///
  /// ```swift
  /// let report = try await pond.run(journal: Journal(at: "nightly.journal"))
  /// ```
  ///
  /// What had succeeded stays succeeded, with its output; what was running is called again, with
  /// the same `PebbleContext.idempotencyKey`. The article <doc:Durable> says all of it.
  ///
  /// At its end the run is torn down, as by `Run.shutdown(within:)`: there may be no process later
  /// that could. Then it is over, and the next one begins anew; the file then has `.1` behind its
  /// name. Cancelling the calling task stops the run, and leaves the rest of it to the next call.
  ///
  /// - Parameters:
  ///   - journal: Where the run is kept.
  ///   - values: What it is given. A run that goes on must be given the same, but for what could
  ///     not be kept.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the run takes at the latest, from its start, which may have been in an
  ///     earlier process. Time in which none ran counts.
  ///   - shutdownLimit: How long it takes at the latest to tear it down.
  ///   - report: An earlier run, from which it learns what to start first.
  ///   - grant: Permission to go on in the background, held while the run lasts.
  ///   - detached: Whether the run, if it is started inside of a body, is to outlive it.
  /// - Returns: What happened, in all processes; what came of tearing it down is in
  ///   `Report.shutdown`. Errors of earlier processes are `RecordedError`.
  /// - Throws: ``JournalError`` if the journal cannot be used, and `PondError` as a run without a
  ///   journal does; `CancellationError` if the task is cancelled while it waits for another run
  ///   that uses the journal. Nothing was started then.
  /// - Complexity: O(pebbles + atoms), and O(bytes of the journal), beside the bodies.
  public func run(
    journal: Journal, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    shutdownWithin shutdownLimit: Duration? = nil, learningFrom report: Report? = nil,
    holding grant: (any BackgroundGrant)? = nil, detached: Bool = false
  ) async throws -> Report {
    try await withOpen(journal, values, targets) { open, targets in
      try await run(
        recording: open.recording, given: open.given(values), only: targets, clock: clock,
        within: limit, shutdownWithin: shutdownLimit, learningFrom: report, holding: grant,
        detached: detached)
    }
  }

  /// Starts the pond, or goes on with a run of it, and returns.
  ///
  /// The run is over once nothing of it is up: when it has been shut down, or at its end if no
  /// service is up and nothing is to be torn down. Until then a process that dies is followed by
  /// one that goes on: services are started anew. One that dies during the shutdown is followed by
  /// one that ends that.
  ///
  /// - Parameters:
  ///   - journal: Where the run is kept.
  ///   - values: What it is given, as in
  ///     ``run(journal:given:only:clock:within:shutdownWithin:learningFrom:holding:detached:)``.
  ///   - targets: What the run is of, as there.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the run takes at the latest, as there.
  ///   - report: An earlier run, from which it learns what to start first.
  ///   - grant: Permission to go on in the background, held while the run lasts.
  ///   - eventHistory: How many of its newest events the run keeps for observers that come later.
  ///   - detached: Whether the run, if it is started inside of a body, is to outlive it.
  /// - Returns: The run under way.
  /// - Throws: As there.
  public func start(
    journal: Journal, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    learningFrom report: Report? = nil, holding grant: (any BackgroundGrant)? = nil,
    eventHistory: Int = 0, detached: Bool = false
  ) async throws -> Run {
    try await withOpen(journal, values, targets) { open, targets in
      try start(
        recording: open.recording, given: open.given(values), only: targets, clock: clock,
        within: limit, learningFrom: report, holding: grant, eventHistory: eventHistory,
        detached: detached)
    }
  }

  /// Runs the pond, waits for a signal, and shuts the run down; if the process dies before that,
  /// the same line goes on in the next.
  ///
  /// ```swift
  /// let report = try await pond.run(
  ///   untilSignal: [.terminate, .interrupt], journal: Journal(at: "service.journal"))
  /// exit(report.exitCode)
  /// ```
  ///
  /// A signal during the boot stops that in an orderly way: bodies are cancelled, and services
  /// stopped. That is about the process, so the next one goes on with the boot; what is kept stays
  /// as it is until the run is over. So it is when the calling task is cancelled. Once the boot is
  /// over, a signal ends the run, and the next process begins a new one.
  ///
  /// - Parameters:
  ///   - signals: The signals to wait for, usually `[.terminate, .interrupt]`.
  ///   - journal: Where the run is kept.
  ///   - values: What it is given, as in
  ///     ``run(journal:given:only:clock:within:shutdownWithin:learningFrom:holding:detached:)``.
  ///   - targets: What the run is of, as there.
  ///   - clock: Tells the times in the report, and when timeouts and waits are over.
  ///   - limit: How long the boot takes at the latest, as there.
  ///   - shutdownLimit: How long the shutdown takes at the latest.
  /// - Returns: What happened; what came of the shutdown is in `Report.shutdown`.
  /// - Throws: As there, and `PondError` if the run cannot wait for these signals.
  public func run(
    untilSignal signals: [Signal], journal: Journal, given values: [GivenValue] = [],
    only targets: [any PebbleIdentifying]? = nil,
    clock: some Clock<Duration> = ContinuousClock(), within limit: Duration? = nil,
    shutdownWithin shutdownLimit: Duration? = nil
  ) async throws -> Report {
    try await withOpen(journal, values, targets) { open, targets in
      try await run(
        untilSignal: signals, recording: open.recording, given: open.given(values), only: targets,
        clock: clock, within: limit, shutdownWithin: shutdownLimit)
    }
  }

  private func withOpen<Result>(
    _ journal: Journal, _ values: [GivenValue], _ targets: [any PebbleIdentifying]?,
    _ body: (OpenJournal, [any PebbleIdentifying]?) async throws -> Result
  ) async throws -> Result {
    let program = program()
    guard program.pond.faults.isEmpty else {
      throw PondError(pondName: name, faults: program.pond.faults)
    }
    let open = try await journal.open(for: program, given: values, only: targets)
    do {
      return try await body(open, open.progress == nil ? targets : open.targets)
    } catch {
      open.writer.close()
      throw error
    }
  }
}
