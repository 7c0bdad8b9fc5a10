extension Report {
  /// What a process whose life the run was says when it exits: 0 if all is well, otherwise 1.
  ///
  /// ```swift
  /// let report = try await pond.run(untilSignal: [.terminate, .interrupt])
  /// print(report)
  /// exit(report.exitCode)
  /// ```
  ///
  /// Not well is: a failure that was not handled, a service that has ended without having been
  /// asked to, be it one inside of a pebble (``PebbleRecord/servicesDownInside``), a teardown that
  /// failed or did not end in time, and a run that was cancelled for a failure, for the end of a
  /// service or because its deadline passed; one that has not reached the goal of its pond, has
  /// ``strayValues``, or whose journal could not be written (``journalProblem``). To be asked to
  /// end, by a signal or a caller, during the boot as well as later, is not a failure.
  ///
  /// - Complexity: O(pebbles), and O(atoms above them) for the pebbles that failed.
  public var exitCode: Int32 {
    let isWell =
      cancellation?.isOrderly != false && unhandledFailures.isEmpty && isGoalReached != false
      && strayValues.isEmpty && journalProblem == nil
      && shutdown?.failures.isEmpty != false && !storage.hasLateTeardownErrors
    return isWell ? 0 : 1
  }
}

extension RunCancellation {
  /// Whether the run was asked to end, and nothing was wrong with it.
  package var isOrderly: Bool {
    switch kind {
    case .requested, .shutdown, .signal, .backgroundTimeExpired: true
    case .failure, .deadlinePassed, .serviceEnded, .journalBroken: false
    }
  }
}
