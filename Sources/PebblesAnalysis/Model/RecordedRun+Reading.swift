import Pebbles

/// Queries with the same names and meanings as those of a report.
///
/// Pebbles are identified by name, even if a handle is given. `PebbleIdentifying` describes the
/// results for pebbles that were not in the run.
extension RecordedRun {
  /// Returns the record of the pebble; `nil` if the run had no such pebble.
  ///
  /// - Complexity: O(pebbles).
  public func record(of pebble: some PebbleIdentifying) -> RecordedPebble? {
    let name = pebble.pebbleID.description
    return pebbles.first { $0.name == name }
  }

  /// Returns the outcome of the pebble; a skip with the reason `.notInRun` if the run had no such
  /// pebble.
  ///
  /// - Complexity: O(pebbles).
  public func outcome(of pebble: some PebbleIdentifying) -> RecordedOutcome {
    record(of: pebble)?.outcome ?? .skipped(.notInRun)
  }

  /// Whether every pebble succeeded. Successes kept from an earlier run count as well.
  ///
  /// - Complexity: O(pebbles).
  public var isAllSucceeded: Bool { pebbles.allSatisfy { $0.outcome.isSucceeded } }

  /// The pebbles that failed, in definition order.
  ///
  /// - Complexity: O(pebbles).
  public var failures: [RecordedPebble] { pebbles.filter { $0.outcome.isFailed } }

  /// Returns whether the pebble ran to its end in this run, successfully or not.
  ///
  /// A pebble whose success was kept from an earlier run does not count as having run. A pebble
  /// whose output was given to this run counts as having run.
  ///
  /// - Complexity: O(pebbles).
  public func ran(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble).map { $0.outcome.isCompleted && $0.keptFrom == nil } ?? false
  }

  /// Returns whether the pebble succeeded.
  ///
  /// - Complexity: O(pebbles).
  public func succeeded(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSucceeded ?? false
  }

  /// Returns whether the pebble failed.
  ///
  /// - Complexity: O(pebbles).
  public func failed(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isFailed ?? false
  }

  /// Returns whether the pebble was skipped.
  ///
  /// - Complexity: O(pebbles).
  public func skipped(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSkipped ?? false
  }
}
