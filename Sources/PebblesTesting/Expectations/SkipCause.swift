import Pebbles

/// A kind of reason for a skipped pebble.
public struct SkipCause: Sendable, Hashable {
  private enum Kind {
    case conditionFalse, stalled, cancelled, disabled, notAskedFor, resourceHeld
  }

  private let kind: Kind

  /// The reason as a clause about the pebble.
  let clause: String

  /// A condition that became false, or was false from the start.
  public static let conditionFalse = SkipCause(
    kind: .conditionFalse, clause: "its condition is false")

  /// A stall: the pebble waited for itself, directly or through other pebbles.
  public static let stalled = SkipCause(kind: .stalled, clause: "it waits for itself")

  /// A cancellation of the run before the pebble could start.
  public static let cancelled = SkipCause(kind: .cancelled, clause: "the run was cancelled")

  /// A disabled pebble, which takes no part in the run.
  public static let disabled = SkipCause(kind: .disabled, clause: "it was disabled")

  /// A run of only some pebbles that left the pebble out.
  public static let notAskedFor = SkipCause(kind: .notAskedFor, clause: "it was not asked for")

  /// A resource that the pebble waited for and that was not returned in time, or stays down.
  public static let resourceHeld = SkipCause(
    kind: .resourceHeld,
    clause: "it waited for a pebble that did not release its resources in time or stays down")

  func includes(_ reason: SkipReason) -> Bool {
    switch reason.kind {
    case .conditionFalse: kind == .conditionFalse
    case .stalled: kind == .stalled
    case .cancelled: kind == .cancelled
    case .disabled: kind == .disabled
    case .notAskedFor: kind == .notAskedFor
    case .resourceHeld: kind == .resourceHeld
    case .notInRun: false
    }
  }
}
