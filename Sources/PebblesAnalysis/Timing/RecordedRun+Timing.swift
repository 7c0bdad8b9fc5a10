import Pebbles

extension RecordedRun {
  /// Returns the timing of the run: its critical path, slack and waiting times.
  ///
  /// - Parameter mainActor: The pebbles whose bodies run on the main actor. A pond cannot determine
  ///   these pebbles itself; see ``RunTiming``.
  /// - Returns: The timing.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a specified pebble was not in the run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func timing(mainActor: [any PebbleIdentifying] = []) throws -> RunTiming {
    try timing(mainActor: positions(of: mainActor))
  }

  /// Returns the chain of pebbles that determined how long the run took.
  ///
  /// - Parameter mainActor: The pebbles whose bodies run on the main actor. A pond cannot determine
  ///   these pebbles itself; see ``RunTiming``.
  /// - Returns: The chain, first to last.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a specified pebble was not in the run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func criticalPath(mainActor: [any PebbleIdentifying] = []) throws -> CriticalPath {
    try criticalPath(mainActor: positions(of: mainActor))
  }

  /// Returns the chain of pebbles that determined when a given pebble settled.
  ///
  /// ```swift
  /// print(try run.criticalPath(to: .named("showMain")))
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The last pebble of the chain. A service settles when it is ready. For a skipped
  ///     pebble, the chain leads through the pebbles that decided the skip.
  ///   - mainActor: The pebbles whose bodies run on the main actor. A pond cannot determine these
  ///     pebbles itself; see ``RunTiming``.
  /// - Returns: The chain, first to last.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded, and
  ///   `UnknownPebbleError` if a specified pebble was not in the run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func criticalPath(
    to pebble: some PebbleIdentifying, mainActor: [any PebbleIdentifying] = []
  ) throws -> CriticalPath {
    try timing(mainActor: mainActor).criticalPath(to: pebble)
  }

  fileprivate func timing(mainActor: Set<Int>) throws(RecordingError) -> RunTiming {
    RunTiming(try Replay(self), mainActor: mainActor)
  }

  func criticalPath(mainActor: Set<Int>) throws(RecordingError) -> CriticalPath {
    let table = TimingTable(try Replay(self), mainActor: mainActor)
    return CriticalPath(table.criticalPath, table, of: self)
  }

  private func positions(
    of pebbles: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> Set<Int> {
    var positions = positions
    return try positions.positions(of: pebbles)
  }
}

extension Report {
  /// Returns the timing of the run: its critical path, slack and waiting times.
  ///
  /// - Parameter mainActor: The pebbles whose bodies run on the main actor. A pond cannot determine
  ///   these pebbles itself; see ``RunTiming``.
  /// - Returns: The timing.
  /// - Throws: `UnknownPebbleError` if a specified pebble is not in the pond, and
  ///   ``RecordingError`` if the recording contradicts itself.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func timing(mainActor: [any PebbleIdentifying] = []) throws -> RunTiming {
    try recorded().timing(mainActor: positions(of: mainActor))
  }

  /// Returns the chain of pebbles that determined how long the run took.
  ///
  /// ```swift
  /// print(try report.criticalPath())
  /// ```
  ///
  /// - Parameter mainActor: The pebbles whose bodies run on the main actor. A pond cannot determine
  ///   these pebbles itself; see ``RunTiming``.
  /// - Returns: The chain, first to last.
  /// - Throws: `UnknownPebbleError` if a specified pebble is not in the pond, and
  ///   ``RecordingError`` if the recording contradicts itself.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func criticalPath(mainActor: [any PebbleIdentifying] = []) throws -> CriticalPath {
    try recorded().criticalPath(mainActor: positions(of: mainActor))
  }

  /// Returns the chain of pebbles that determined when a given pebble settled.
  ///
  /// ```swift
  /// print(try report.criticalPath(to: showMain))
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The last pebble of the chain. A service settles when it is ready. For a skipped
  ///     pebble, the chain leads through the pebbles that decided the skip.
  ///   - mainActor: The pebbles whose bodies run on the main actor. A pond cannot determine these
  ///     pebbles itself; see ``RunTiming``.
  /// - Returns: The chain, first to last.
  /// - Throws: `UnknownPebbleError` if a specified pebble is not in the pond, and
  ///   ``RecordingError`` if the recording contradicts itself.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func criticalPath(
    to pebble: some PebbleIdentifying, mainActor: [any PebbleIdentifying] = []
  ) throws -> CriticalPath {
    var positions = PebblePositions(storage.pond.graph)
    let position = try positions.position(of: pebble)
    return try timing(mainActor: mainActor).criticalPath(to: position)
  }

  private func positions(
    of pebbles: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> Set<Int> {
    var positions = PebblePositions(storage.pond.graph)
    return try positions.positions(of: pebbles)
  }
}
