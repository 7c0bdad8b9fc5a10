import Pebbles

/// One pebble in two runs.
public struct PebbleComparison: Sendable, Hashable {
  /// What happened to it in the earlier run; `nil` if that does not have it.
  public let before: RecordedPebble?

  /// What happened to it in the later run; `nil` if that does not have it.
  public let after: RecordedPebble?

  /// The name of the pebble.
  public let name: String

  /// How long it was at work on the critical path of the earlier run; `nil` if it is not on that.
  public let criticalBefore: Duration?

  /// How long it was at work on the critical path of the later run; `nil` if it is not on that.
  public let criticalAfter: Duration?

  /// How much longer it took in the later run; negative if it took less time, and `nil` unless it
  /// ran both times.
  public var difference: Duration? {
    guard let old = before?.duration, let new = after?.duration else { return nil }
    return new - old
  }

  /// How many times as long it took in the later run; `nil` unless it ran both times, and took any
  /// time in the earlier run.
  public var ratio: Double? {
    guard let old = before?.duration, let new = after?.duration, old > .zero else { return nil }
    return new / old
  }

  /// Whether it succeeded, failed or was skipped in one run, and did something else of these in the
  /// other, or did so as another case: *failed as locked*, and *timed out*.
  public var hasChangedOutcome: Bool {
    guard let before, let after else { return false }
    return before.outcome.event != after.outcome.event || before.cases != after.cases
  }

  var orderedDifference: Duration { difference ?? .zero }
}
