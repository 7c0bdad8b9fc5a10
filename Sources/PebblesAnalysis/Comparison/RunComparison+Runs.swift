import Pebbles

extension RecordedRun {
  /// What is different from an earlier run.
  ///
  /// - Parameters:
  ///   - earlier: The run that came first; of this pond, or of one with pebbles of the same names.
  ///   - mainActor: Pebbles whose bodies run on the main actor; see ``RunTiming``. In each run they
  ///     are those of these names; one of the runs has to have them.
  /// - Returns: The differences.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError`.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func compared(
    to earlier: RecordedRun, mainActor: [any PebbleIdentifying] = []
  ) throws -> RunComparison {
    try RunComparison(from: earlier, to: self, mainActor: mainActor)
  }
}

extension Report {
  /// What is different from an earlier run.
  ///
  /// ```swift
  /// let baseline = try RecordedRun(json: lastRelease)
  /// print(try report.compared(to: baseline))
  /// ```
  ///
  /// - Parameters:
  ///   - earlier: The run that came first; of this pond, or of one with pebbles of the same names.
  ///   - mainActor: Pebbles whose bodies run on the main actor; see ``RunTiming``. In each run they
  ///     are those of these names; one of the runs has to have them.
  /// - Returns: The differences.
  /// - Throws: ``RecordingError`` if the pebbles of a run cannot have ended as recorded, and
  ///   `UnknownPebbleError`.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func compared(
    to earlier: RecordedRun, mainActor: [any PebbleIdentifying] = []
  ) throws -> RunComparison {
    try recorded().compared(to: earlier, mainActor: mainActor)
  }

  /// What is different from an earlier run.
  ///
  /// - Parameters:
  ///   - earlier: The report of the run that came first.
  ///   - mainActor: Pebbles whose bodies run on the main actor; see ``RunTiming``. In each run they
  ///     are those of these names; one of the runs has to have them.
  /// - Returns: The differences.
  /// - Throws: `UnknownPebbleError`, and ``RecordingError`` if a recording contradicts
  ///   itself.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func compared(
    to earlier: Report, mainActor: [any PebbleIdentifying] = []
  ) throws -> RunComparison {
    try recorded().compared(to: earlier.recorded(), mainActor: mainActor)
  }
}

extension RunComparison {
  /// Compares two runs by their reports.
  ///
  /// - Parameters:
  ///   - before: The report of the run that came first.
  ///   - after: The report of the run to compare to it.
  ///   - mainActor: Pebbles whose bodies run on the main actor; see ``RunTiming``. In each run they
  ///     are those of these names; one of the runs has to have them.
  /// - Throws: `UnknownPebbleError`, and ``RecordingError`` if a recording contradicts
  ///   itself.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public init(
    from before: Report, to after: Report, mainActor: [any PebbleIdentifying] = []
  ) throws {
    try self.init(from: before.recorded(), to: after.recorded(), mainActor: mainActor)
  }
}
