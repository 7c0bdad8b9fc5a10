import Pebbles

extension RecordedRun {
  /// Returns the differences between this recorded run and an earlier run.
  ///
  /// - Parameters:
  ///   - earlier: The earlier run, of this pond or of a pond with pebbles of the same names.
  ///   - mainActor: The pebbles whose bodies run on the main actor; see ``RunTiming``. They are
  ///     found by name in each run; each must be in at least one of the runs.
  /// - Returns: The differences.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a pebble of `mainActor` is in neither run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func compared(
    to earlier: RecordedRun, mainActor: [any PebbleIdentifying] = []
  ) throws -> RunComparison {
    try RunComparison(from: earlier, to: self, mainActor: mainActor)
  }
}

extension Report {
  /// Returns the differences between the run of this report and an earlier recorded run.
  ///
  /// ```swift
  /// let baseline = try RecordedRun(json: lastRelease)
  /// print(try report.compared(to: baseline))
  /// ```
  ///
  /// - Parameters:
  ///   - earlier: The earlier run, of this pond or of a pond with pebbles of the same names.
  ///   - mainActor: The pebbles whose bodies run on the main actor; see ``RunTiming``. They are
  ///     found by name in each run; each must be in at least one of the runs.
  /// - Returns: The differences.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a pebble of `mainActor` is in neither run.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func compared(
    to earlier: RecordedRun, mainActor: [any PebbleIdentifying] = []
  ) throws -> RunComparison {
    try recorded().compared(to: earlier, mainActor: mainActor)
  }

  /// Returns the differences between the run of this report and the run of an earlier report.
  ///
  /// - Parameters:
  ///   - earlier: The report of the earlier run.
  ///   - mainActor: The pebbles whose bodies run on the main actor; see ``RunTiming``. They are
  ///     found by name in each run; each must be in at least one of the runs.
  /// - Returns: The differences.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a pebble of `mainActor` is in neither run.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func compared(
    to earlier: Report, mainActor: [any PebbleIdentifying] = []
  ) throws -> RunComparison {
    try recorded().compared(to: earlier.recorded(), mainActor: mainActor)
  }
}
