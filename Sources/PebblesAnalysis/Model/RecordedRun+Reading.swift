import Pebbles

/// What is asked of a recorded run, in the words in which it is asked of a report.
///
/// Pebbles are known by their names: a handle stands for its name. What is said of one that the run
/// did not have, `PebbleIdentifying` tells.
extension RecordedRun {
  /// What happened to the pebble; `nil` if the run had no such pebble.
  ///
  /// - Complexity: O(pebbles).
  public func record(of pebble: some PebbleIdentifying) -> RecordedPebble? {
    let name = pebble.pebbleID.description
    return pebbles.first { $0.name == name }
  }

  /// How the pebble ended; skipped with `.notInRun` if the run had no such pebble.
  ///
  /// - Complexity: O(pebbles).
  public func outcome(of pebble: some PebbleIdentifying) -> RecordedOutcome {
    record(of: pebble)?.outcome ?? .skipped(.notInRun)
  }

  /// Whether every pebble ran and succeeded.
  ///
  /// - Complexity: O(pebbles).
  public var isAllSucceeded: Bool { pebbles.allSatisfy { $0.outcome.isSucceeded } }

  /// The pebbles that failed, in definition order.
  ///
  /// - Complexity: O(pebbles).
  public var failures: [RecordedPebble] { pebbles.filter { $0.outcome.isFailed } }

  /// Whether the pebble ran to an end, well or badly.
  ///
  /// - Complexity: O(pebbles).
  public func ran(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isCompleted ?? false
  }

  /// Whether the pebble succeeded.
  ///
  /// - Complexity: O(pebbles).
  public func succeeded(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSucceeded ?? false
  }

  /// Whether the pebble failed.
  ///
  /// - Complexity: O(pebbles).
  public func failed(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isFailed ?? false
  }

  /// Whether the pebble was skipped.
  ///
  /// - Complexity: O(pebbles).
  public func skipped(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSkipped ?? false
  }
}
