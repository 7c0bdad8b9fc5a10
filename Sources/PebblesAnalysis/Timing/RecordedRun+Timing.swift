import Pebbles

extension RecordedRun {
  /// Where the time of the run went.
  ///
  /// - Parameter mainActor: The names of pebbles whose bodies run on the main actor. A pond does
  ///   not know; see ``RunTiming``. Names that the run does not have are ignored.
  /// - Returns: Critical path, slack, waits.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func timing(mainActor: Set<String> = []) throws(RecordingError) -> RunTiming {
    RunTiming(try Replay(self), mainActor: positions(named: mainActor))
  }

  /// The chain of pebbles that made the run as long as it was.
  ///
  /// - Parameter mainActor: The names of pebbles whose bodies run on the main actor. A pond does
  ///   not know; see ``RunTiming``. Names that the run does not have are ignored.
  /// - Returns: The chain, first to last.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func criticalPath(mainActor: Set<String> = []) throws(RecordingError) -> CriticalPath {
    try timing(mainActor: mainActor).criticalPath
  }

  func positions(named names: Set<String>) -> Set<Int> {
    names.isEmpty ? [] : Set(pebbles.indices.filter { names.contains(pebbles[$0].name) })
  }
}

extension Report {
  /// Where the time of the run went.
  ///
  /// - Parameter mainActor: Pebbles whose bodies run on the main actor. A pond does not know; see
  ///   ``RunTiming``. Those that the run does not have are ignored.
  /// - Returns: Critical path, slack, waits.
  /// - Throws: ``RecordingError`` if the run is not understood: that takes predicates that held at
  ///   times which do not fit to what was decided.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func timing<each Output>(
    mainActor: repeat Pebble<each Output>
  ) throws(RecordingError) -> RunTiming {
    var positions: Set<Int> = []
    for pebble in repeat each mainActor {
      if let record = record(of: pebble) { positions.insert(record.position) }
    }
    return RunTiming(try Replay(recorded()), mainActor: positions)
  }

  /// The chain of pebbles that made the run as long as it was.
  ///
  /// ```swift
  /// print(try report.criticalPath())
  /// ```
  ///
  /// - Parameter mainActor: Pebbles whose bodies run on the main actor. A pond does not know; see
  ///   ``RunTiming``. Those that the run does not have are ignored.
  /// - Returns: The chain, first to last.
  /// - Throws: ``RecordingError`` if the run is not understood: that takes predicates that held at
  ///   times which do not fit to what was decided.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func criticalPath<each Output>(
    mainActor: repeat Pebble<each Output>
  ) throws(RecordingError) -> CriticalPath {
    try timing(mainActor: repeat each mainActor).criticalPath
  }
}
