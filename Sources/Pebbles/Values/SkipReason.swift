/// The reason why a pebble was skipped. ``PebbleRecord/explanation`` states it as a sentence.
///
/// Later versions may add reasons.
@nonexhaustive public enum SkipReason: Sendable, Hashable {
  /// A false condition. It became false when the pebble named by `decidedBy` settled; if
  /// `decidedBy` is `nil`, the condition was false from the start.
  case conditionFalse(decidedBy: String?)

  /// A stall: no pebble was running or ready, and this pebble waited for itself, directly or
  /// through other pebbles. The associated value contains the names of at most a hundred pebbles
  /// for which this pebble was waiting.
  case stalled(waitingOn: [String])

  /// A cancellation of the run before the pebble started. In a run continued from a journal, the
  /// body may have been called in an earlier process that died before the body ended.
  case cancelled

  /// A disabled pebble, which takes no part in this run.
  case disabled

  /// A run limited to pebbles that do not need the skipped pebble; see
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)``.
  case notAskedFor

  /// The pebble was waiting for something that the named pebble had not released. The body of the
  /// named pebble was abandoned but is still running, or runs that it started are still being shut
  /// down. If the skipped pebble takes its output, the named pebble can also be a service that
  /// stays down.
  case resourceHeld(by: String)

  /// The absence of the pebble from the run: it belongs to another pond, or was added after the run
  /// started.
  case notInRun
}

extension SkipReason {
  /// Whether the pebble was skipped because its condition was false. The condition became false
  /// when ``decidedBy`` settled, or it was false from the start.
  public var isConditionFalse: Bool {
    if case .conditionFalse = self { true } else { false }
  }

  /// The pebble whose outcome made the condition false; `nil` if the condition was false from the
  /// start, or was not the reason for the skip.
  public var decidedBy: String? {
    if case .conditionFalse(let pebble) = self { pebble } else { nil }
  }

  /// Whether the pebble stalled: it waited for itself, directly or through other pebbles.
  /// ``waitingOn`` lists the pebbles for which it was waiting.
  public var isStalled: Bool {
    if case .stalled = self { true } else { false }
  }

  /// The pebbles for which a stalled pebble was waiting, at most a hundred; empty if the reason is
  /// not a stall.
  public var waitingOn: [String] {
    if case .stalled(let pebbles) = self { pebbles } else { [] }
  }
}

extension SkipReason {
  /// The pebble that prevented the skipped pebble from starting; `nil` unless the reason is
  /// ``resourceHeld(by:)``.
  ///
  /// This pebble did not release something that both pebbles use, or it is a service that stays
  /// down.
  public var holder: String? {
    if case .resourceHeld(let pebble) = self { pebble } else { nil }
  }

  /// Returns a clause for the reason ``resourceHeld(by:)``, in which *it* refers to the skipped
  /// pebble.
  package static func clause(heldBy pebble: String) -> String {
    "it waited for \(pebble), which did not release its resources in time or stays down"
  }

  /// Describes the reason ``stalled(waitingOn:)`` in a clause.
  ///
  /// - Parameters:
  ///   - pebble: The name of the skipped pebble.
  ///   - awaited: The names of the pebbles for which the skipped pebble was waiting. If there are
  ///     many, the clause names only the first few, and counts the others.
  /// - Returns: A clause in which *it* refers to the skipped pebble.
  static func clause(stalled pebble: String, waitingOn awaited: [String]) -> String {
    guard awaited != [pebble] else { return "it waits for itself" }
    let names = awaited.listed { $0.shortName }
    return "it waits for \(names.joined(" and ")), and that waits for it in turn"
  }
}

extension SkipReason: CustomStringConvertible {
  /// The reason as Swift source without the leading dot, such as `stalled(waitingOn: ["login"])`.
  public var description: String {
    switch self {
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

extension ReadinessState {
  /// Returns the reason why a pebble was skipped; `nil` if it was not skipped.
  package func skipReason(of pebble: Int, _ names: StableSlice<String>) -> SkipReason? {
    switch status(of: pebble) {
    case .waiting, .running, .succeeded, .failed: nil
    case .skippedByCondition: .conditionFalse(decidedBy: cause(of: pebble).map { names[$0] })
    case .skippedByStall: .stalled(waitingOn: stall(of: pebble).map { names[$0] })
    case .skippedByCancellation: .cancelled
    case .skippedAsDisabled: .disabled
    case .skippedAsNotAskedFor: .notAskedFor
    case .skippedByHolder: .resourceHeld(by: cause(of: pebble).map { names[$0] } ?? "")
    }
  }
}
