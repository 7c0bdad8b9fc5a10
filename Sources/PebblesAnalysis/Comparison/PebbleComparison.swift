import Pebbles

/// The comparison of one pebble in two runs.
public struct PebbleComparison: Sendable, Hashable {
  /// The record of the pebble in the earlier run; `nil` if the pebble is not in that run.
  public let before: RecordedPebble?

  /// The record of the pebble in the later run; `nil` if the pebble is not in that run.
  public let after: RecordedPebble?

  /// The name of the pebble.
  public let name: String

  /// The pebble's time on the critical path of the earlier run; `nil` if the pebble is not on that
  /// path.
  let criticalBefore: Duration?

  /// The pebble's time on the critical path of the later run; `nil` if the pebble is not on that
  /// path.
  let criticalAfter: Duration?

  /// The increase in the pebble's duration from the earlier run to the later one; `nil` unless the
  /// pebble ran in both runs. The increase is negative if the pebble took less time in the later
  /// run. A pebble whose success was kept from another run did not run.
  public var difference: Duration? { durations.map { $0.after - $0.before } }

  /// The ratio of the pebble's duration in the later run to its duration in the earlier run; `nil`
  /// unless the pebble ran in both runs and its earlier duration is above zero.
  public var ratio: Double? {
    durations.flatMap { $0.before > .zero ? $0.after / $0.before : nil }
  }

  /// The durations of the pebble in both runs; `nil` unless the pebble ran in both runs.
  private var durations: (before: Duration, after: Duration)? {
    guard let old = before?.ownDuration, let new = after?.ownDuration else { return nil }
    return (old, new)
  }

  /// Whether the pebble is in both runs and ended differently in them: with another outcome
  /// (succeeded, failed or skipped), or with another case, such as *failed as locked* instead of
  /// *timed out*.
  var hasChangedOutcome: Bool {
    guard let before, let after else { return false }
    // The ponds may define the cases in another order.
    return before.outcome.event != after.outcome.event || Set(before.cases) != Set(after.cases)
  }

  var orderedDifference: Duration { difference ?? .zero }
}
