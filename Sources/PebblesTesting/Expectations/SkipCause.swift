import Pebbles

/// A kind of reason for a skipped pebble. Later versions may add kinds.
@nonexhaustive public enum SkipCause: Sendable {
  /// A condition that became false, or was false from the start.
  case conditionFalse

  /// A stall: the pebble waited for itself, directly or through other pebbles.
  case stalled

  /// A cancellation of the run before the pebble could start.
  case cancelled

  /// The disabling of the pebble, which then takes no part in the run.
  case disabled

  /// A run that was asked only for other pebbles, and does not need this one.
  case notAskedFor

  /// A wait for a resource that was not given back in time, or for a service that stays down.
  case resourceHeld

  /// The reason, worded to follow "because" in a sentence about the pebble: `"it was disabled"`.
  var clause: String {
    switch self {
    case .conditionFalse: "its condition is false"
    case .stalled: "it waits for itself"
    case .cancelled: "the run was cancelled"
    case .disabled: "it was disabled"
    case .notAskedFor: "it was not asked for"
    case .resourceHeld:
      "it waited for a pebble that did not release its resources in time or stays down"
    }
  }

  func includes(_ reason: SkipReason) -> Bool {
    switch reason {
    case .conditionFalse: self == .conditionFalse
    case .stalled: self == .stalled
    case .cancelled: self == .cancelled
    case .disabled: self == .disabled
    case .notAskedFor: self == .notAskedFor
    case .resourceHeld: self == .resourceHeld
    case .notInRun: false
    }
  }
}
