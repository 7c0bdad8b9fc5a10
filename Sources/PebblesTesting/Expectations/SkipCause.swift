import Pebbles

/// A kind of reason for skipping a pebble. Later versions may add kinds.
///
/// ``blocked`` and ``notNeeded`` indicate whether the skip matters, as in the printed report. The
/// other cases name the mechanism that caused the skip.
@nonexhaustive public enum SkipCause: Sendable {
  /// An obstacle that kept the pebble from running, such as a failure or a stall; see
  /// `SkipKind.blocked`.
  case blocked

  /// A path that the run did not take. The pebble is on this path, or needs a pebble on it; see
  /// `SkipKind.notNeeded`.
  case notNeeded

  /// A condition that became false, or was false from the start.
  case conditionFalse

  /// A stall: the pebble waited for itself, directly or through other pebbles.
  case stalled

  /// A cancellation of the run before the pebble could start.
  case cancelled

  /// A setting that disabled the pebble, so that it took no part in the run.
  case disabled

  /// A limitation of the run to pebbles that do not need this one.
  case notAskedFor

  /// A wait for a resource that was not released in time, or for a service that stays down.
  case resourceHeld

  /// The reason, worded to follow "because" in a sentence about the pebble: `"it was disabled"`.
  var clause: String {
    switch self {
    case .blocked: "it was blocked"
    case .notNeeded: "it was not needed"
    case .conditionFalse: "its condition is false"
    case .stalled: "it waits for itself"
    case .cancelled: "the run was cancelled"
    case .disabled: "it was disabled"
    case .notAskedFor: "it was not asked for"
    case .resourceHeld:
      "it waited for a pebble that did not release its resources in time or stays down"
    }
  }

  /// Returns whether the pebble was skipped for this kind of reason.
  func includes(_ record: PebbleRecord) -> Bool {
    switch (self, record.outcome.skipReason) {
    case (_, nil), (_, .notInRun): false
    case (.blocked, _): record.skipKind == .blocked
    case (.notNeeded, _): record.skipKind == .notNeeded
    case (.conditionFalse, let reason?): reason.isConditionFalse
    case (.stalled, let reason?): reason.isStalled
    case (.cancelled, let reason?): reason == .cancelled
    case (.disabled, let reason?): reason == .disabled
    case (.notAskedFor, let reason?): reason == .notAskedFor
    case (.resourceHeld, let reason?): reason.holder != nil
    }
  }
}
