/// The kind of a skip, such as ``blocked`` for a skip that matters.
///
/// ```swift
/// for record in report.blocked { print(record.explanation) }
/// ```
///
/// The ``SkipReason`` states the cause of a skip. The kind depends on the outcomes of all pebbles,
/// never on timing; see <doc:Conditions> for the rule. Conditions do not distinguish kinds, so
/// ``Pebble/skipped`` is true for all of them.
///
/// Later versions may add kinds.
@nonexhaustive public enum SkipKind: String, Sendable, CustomStringConvertible {
  /// A skip of a pebble that was meant to run but could not: it was part of a stall, it waited for
  /// a resource that was not released or for a service that stays down, or it needed a pebble that
  /// failed or was itself blocked.
  case blocked

  /// A skip of a pebble that had nothing to do: it is on a path that was not taken, or needs a
  /// pebble on such a path.
  case notNeeded = "not needed"

  /// A skip of a pebble that was disabled for this run.
  case disabled

  /// A skip in a run that was limited to other pebbles, which do not need the skipped pebble.
  case notAskedFor = "not asked for"

  /// A skip of a pebble that had not started when the run was cancelled; see
  /// ``SkipReason/cancelled``.
  case cancelled

  /// The name of the kind, such as `not needed`.
  public var description: String { rawValue }

  /// The symbol for a skip of this kind: `⊘` for a skip that matters, otherwise `○`.
  package var sign: String { self == .blocked ? "⊘" : "○" }

  /// The predicate of a sentence about a skipped pebble, such as `was blocked`. The reason for the
  /// skip follows it.
  package var past: String {
    self == .blocked || self == .notNeeded ? "was \(self)" : "was skipped"
  }
}

extension BlockedPebbles {
  /// Returns the reason for which a pebble was skipped, as a kind. The result is `nil` if the
  /// pebble was not skipped, or was skipped only after the blocked pebbles had been determined.
  package func skipKind(of pebble: Int, _ status: PebbleStatus) -> SkipKind? {
    switch status {
    case .waiting, .running, .succeeded, .failed: nil
    case .skippedByCondition, .skippedByStall, .skippedByHolder:
      isBlocked(pebble) ? .blocked : isNotNeeded(pebble) ? .notNeeded : nil
    case .skippedByCancellation: .cancelled
    case .skippedAsDisabled: .disabled
    case .skippedAsNotAskedFor: .notAskedFor
    }
  }
}
