extension Report {
  /// The exit code for a process started only for this run: 0 if all went well, otherwise 1.
  ///
  /// ```swift
  /// let report = try await pond.run(untilSignal: [.terminate, .interrupt])
  /// print(report)
  /// exit(report.exitCode)
  /// ```
  ///
  /// The exit code is 1 if any of the following is true:
  ///
  /// - A failure was not handled.
  /// - A service has ended permanently without being asked to stop. This includes services of runs
  ///   inside a pebble (``PebbleRecord/servicesDownInside``).
  /// - A teardown failed or did not end in time, or a pebble has
  ///   ``PebbleRecord/lateTeardownErrors``.
  /// - The run was cancelled because of a failure, a service that ended, a missed deadline, or a
  ///   problem with its journal.
  /// - The run has not reached its pond's goal.
  /// - The run has ``strayValues``.
  /// - The run's journal could not be written (``journalProblem``).
  ///
  /// A signal or a caller's request to end the run does not count as a failure, regardless of when
  /// it arrives. Neither does the end of the background time
  /// (``RunCancellation/backgroundTimeExpired``).
  ///
  /// - Complexity: The same as for ``unhandledFailures``.
  public var exitCode: Int32 {
    let isWell =
      cancellation?.isOrderly != false && unhandledFailures.isEmpty && isGoalReached != false
      && strayValues.isEmpty && journalProblem == nil
      && shutdown?.failures.isEmpty != false && !storage.hasLateTeardownErrors
    return isWell ? 0 : 1
  }
}

extension RunCancellation {
  /// Whether the run was cancelled on request, rather than because of a problem.
  package var isOrderly: Bool {
    switch self {
    case .requested, .shutdown, .signal, .backgroundTimeExpired: true
    case .failure, .deadlinePassed, .serviceEnded, .journalBroken: false
    }
  }
}
