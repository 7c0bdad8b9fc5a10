/// What pebbles are told apart by wherever those of a run are counted or listed.
///
/// All texts have these groups in one order: what failed, what that kept from running, then the
/// rest.
package enum OutcomeGroup: Sendable, Hashable, CaseIterable {
  case failed
  case blocked
  case succeeded
  case kept
  case notNeeded
  case disabled
  case cancelled
  case notAskedFor

  /// The group of a pebble that ended in some way; one whose kind of skip is unknown was not
  /// needed.
  package init(_ event: Event, isKept: Bool, _ skipKind: SkipKind?) {
    switch event {
    case .failed: self = .failed
    case .succeeded: self = isKept ? .kept : .succeeded
    case .skipped: self = Self.allCases.first { $0.skipKind == skipKind } ?? .notNeeded
    }
  }

  /// The kind of the skips that it is of; `nil` for pebbles that ended by themselves, or were kept.
  package var skipKind: SkipKind? {
    switch self {
    case .failed, .succeeded, .kept: nil
    case .blocked: .blocked
    case .notNeeded: .notNeeded
    case .disabled: .disabled
    case .cancelled: .cancelled
    case .notAskedFor: .notAskedFor
    }
  }

  /// Some words for it.
  package var name: String {
    switch self {
    case .failed: "failed"
    case .succeeded: "succeeded"
    case .kept: "kept"
    case .blocked, .notNeeded, .disabled, .cancelled, .notAskedFor: skipKind?.name ?? ""
    }
  }

  /// The sign of it: told without colour.
  package var sign: String {
    switch self {
    case .failed: "✗"
    case .succeeded, .kept: "✓"
    case .blocked, .notNeeded, .disabled, .cancelled, .notAskedFor: skipKind?.sign ?? ""
    }
  }

  /// How many there are of each group that has any, in order: `1 failed, 3 succeeded`.
  package static func totals(_ count: (OutcomeGroup) -> Int) -> String {
    let parts = allCases.map { (count($0), $0.name) }.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "no pebbles" : parts.joined(separator: ", ")
  }
}
