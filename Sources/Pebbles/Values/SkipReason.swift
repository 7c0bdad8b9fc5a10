/// The reason that a pebble was skipped. ``PebbleRecord/explanation`` gives it as a sentence.
///
/// Later versions may add reasons, so a `switch` over a reason needs a `default`.
public struct SkipReason: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case conditionFalse(decidedBy: String?)
    case stalled(waitingOn: [String])
    case cancelled
    case disabled
    case notAskedFor
    case resourceHeld(by: String)
    case notInRun
  }

  package let kind: Kind

  /// Returns the reason for a skip because the condition became false when the named pebble
  /// settled, or was false from the start if `decidedBy` is `nil`.
  public static func conditionFalse(decidedBy: String?) -> SkipReason {
    SkipReason(kind: .conditionFalse(decidedBy: decidedBy))
  }

  /// Returns the reason for a skip because nothing ran, nothing was ready, and the pebble waited
  /// for itself, perhaps through others. The reason contains the names of the first hundred pebbles
  /// that it was waiting for.
  public static func stalled(waitingOn: [String]) -> SkipReason {
    SkipReason(kind: .stalled(waitingOn: waitingOn))
  }

  /// The reason for a skip because the run was cancelled before the pebble started.
  public static let cancelled = SkipReason(kind: .cancelled)

  /// The reason for a skip because the pebble was disabled for this run.
  public static let disabled = SkipReason(kind: .disabled)

  /// The reason for a skip because the run was limited to some pebbles, and none of them needs this
  /// one; see ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)``.
  public static let notAskedFor = SkipReason(kind: .notAskedFor)

  /// Returns the reason for a skip because the pebble waited for the named one, which did not give
  /// back something that both use: its body is still running although it was given up, or runs that
  /// were started inside it are still being shut down. The reason is the same if the pebble waited
  /// for a service whose output it takes and which stays down.
  public static func resourceHeld(by pebble: String) -> SkipReason {
    SkipReason(kind: .resourceHeld(by: pebble))
  }

  /// The reason for a skip because the run had no such pebble: it belongs to another pond, or was
  /// added after the run started.
  public static let notInRun = SkipReason(kind: .notInRun)
}

extension SkipReason {
  /// Whether the pebble was skipped because its condition became false, in which case ``decidedBy``
  /// is not `nil`, or was false from the start.
  public var isConditionFalse: Bool {
    if case .conditionFalse = kind { true } else { false }
  }

  /// The pebble that made the condition false when it settled; `nil` if the condition was false
  /// from the start, and for other reasons.
  public var decidedBy: String? {
    if case .conditionFalse(let pebble) = kind { pebble } else { nil }
  }

  /// Whether the pebble waited for itself, perhaps through others; ``waitingOn`` lists the pebbles
  /// that it was waiting for.
  public var isStalled: Bool {
    if case .stalled = kind { true } else { false }
  }

  /// The first hundred pebbles that a stalled pebble was waiting for; empty for other reasons.
  public var waitingOn: [String] {
    if case .stalled(let pebbles) = kind { pebbles } else { [] }
  }
}

extension SkipReason {
  /// The pebble that kept this one from starting, because it did not give back what it uses, or is
  /// a service that stays down; `nil` for other reasons.
  public var holder: String? {
    if case .resourceHeld(let pebble) = kind { pebble } else { nil }
  }

  /// Returns the reason ``resourceHeld(by:)`` as a clause.
  package static func clause(heldBy pebble: String) -> String {
    "it waited for \(pebble), which did not release its resources in time or stays down"
  }
}

extension SkipReason: CustomStringConvertible {
  /// The reason as Swift source, without the leading dot: `stalled(waitingOn: ["login"])`.
  public var description: String {
    switch kind {
    case .conditionFalse(let pebble):
      "conditionFalse(decidedBy: \(pebble?.swiftLiteral ?? "nil"))"
    case .stalled(let pebbles):
      "stalled(waitingOn: [\(pebbles.map(\.swiftLiteral).joined(separator: ", "))])"
    case .cancelled: "cancelled"
    case .disabled: "disabled"
    case .notAskedFor: "notAskedFor"
    case .resourceHeld(let pebble): "resourceHeld(by: \(pebble.swiftLiteral))"
    case .notInRun: "notInRun"
    }
  }
}
