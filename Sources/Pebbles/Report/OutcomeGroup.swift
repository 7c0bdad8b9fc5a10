/// A group of outcomes, used wherever the pebbles of a run are counted or listed.
///
/// Groups are always listed in the order of this enumeration: failed pebbles first, then blocked
/// pebbles, then the rest.
package enum OutcomeGroup: Sendable, Hashable, CaseIterable {
  case failed
  case blocked
  case succeeded
  case kept
  case notNeeded
  case disabled
  case cancelled
  case notAskedFor

  /// Creates the group of a pebble. A skipped pebble counts as not needed if the kind of skip is
  /// unknown.
  package init(_ event: Event, isKept: Bool, _ skipKind: SkipKind?) {
    switch event {
    case .failed: self = .failed
    case .succeeded: self = isKept ? .kept : .succeeded
    case .skipped:
      let group = skipKind.flatMap { kind in Self.allCases.first { $0.skipKind == kind } }
      self = group ?? .notNeeded
    }
  }

  /// The kind of skip that the group represents; `nil` for the groups of pebbles that were not
  /// skipped.
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

  /// The name of the group, such as `not needed`.
  package var name: String {
    switch self {
    case .failed: "failed"
    case .succeeded: "succeeded"
    case .kept: "kept"
    case .blocked, .notNeeded, .disabled, .cancelled, .notAskedFor: skipKind?.rawValue ?? ""
    }
  }

  /// The sign of the group. Some groups share a sign. Different signs differ in shape, so they can
  /// be told apart without colour.
  package var sign: String {
    switch self {
    case .failed: "✗"
    case .succeeded, .kept: "✓"
    case .blocked, .notNeeded, .disabled, .cancelled, .notAskedFor: skipKind?.sign ?? ""
    }
  }

  /// Returns a list of the sizes of all nonempty groups, in order, such as `1 failed, 3 succeeded`.
  package static func totals(_ count: (OutcomeGroup) -> Int) -> String {
    let parts = allCases.map { (count($0), $0.name) }.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "no pebbles" : parts.joined(separator: ", ")
  }
}
