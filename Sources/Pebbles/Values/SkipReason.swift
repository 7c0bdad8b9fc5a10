/// Why a pebble was skipped. ``PebbleRecord/explanation`` says it as a sentence.
///
/// More reasons may come with later versions, so a `switch` over one has a `default`.
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

  /// The condition became false when the named pebble settled; `nil` if it was false from the
  /// start.
  public static func conditionFalse(decidedBy: String?) -> SkipReason {
    SkipReason(kind: .conditionFalse(decidedBy: decidedBy))
  }

  /// Nothing ran and nothing was ready, and the pebble was waiting, perhaps through others, for
  /// itself. Names the first hundred pebbles it was waiting for.
  public static func stalled(waitingOn: [String]) -> SkipReason {
    SkipReason(kind: .stalled(waitingOn: waitingOn))
  }

  /// The run was cancelled before the pebble started.
  public static let cancelled = SkipReason(kind: .cancelled)

  /// The pebble was disabled for this run.
  public static let disabled = SkipReason(kind: .disabled)

  /// The run was of some pebbles only, and none of them needs it: see
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)``.
  public static let notAskedFor = SkipReason(kind: .notAskedFor)

  /// The pebble waited for the named one, which did not give back what both use: its body goes on
  /// although it was given up, or what that has left is still being shut down. Or it waited for a
  /// service whose output it takes and that stays down.
  public static func resourceHeld(by pebble: String) -> SkipReason {
    SkipReason(kind: .resourceHeld(by: pebble))
  }

  /// The run had no such pebble: it belongs to another pond, or was added after the run started.
  public static let notInRun = SkipReason(kind: .notInRun)
}

extension SkipReason {
  /// Whether the condition became false, or was so from the start; ``decidedBy`` says which.
  public var isConditionFalse: Bool {
    if case .conditionFalse = kind { true } else { false }
  }

  /// The pebble that made the condition false when it settled; `nil` if it was false from the
  /// start, and for other reasons.
  public var decidedBy: String? {
    if case .conditionFalse(let pebble) = kind { pebble } else { nil }
  }

  /// Whether the pebble was waiting, perhaps through others, for itself; ``waitingOn`` names those
  /// it waited for.
  public var isStalled: Bool {
    if case .stalled = kind { true } else { false }
  }

  /// The first hundred pebbles that a stalled one was waiting for; none for other reasons.
  public var waitingOn: [String] {
    if case .stalled(let pebbles) = kind { pebbles } else { [] }
  }
}

extension SkipReason {
  /// The pebble that this one waited for, which did not give back what it uses or stays down; `nil`
  /// for other reasons.
  public var holder: String? {
    if case .resourceHeld(let pebble) = kind { pebble } else { nil }
  }

  /// The reason ``resourceHeld(by:)`` as a clause.
  package static func clause(heldBy pebble: String) -> String {
    "it waited for \(pebble), which did not give back what it uses in time or stays down"
  }
}

extension SkipReason: CustomStringConvertible {
  /// The reason as it is written in Swift, without the point: `stalled(waitingOn: ["login"])`.
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
