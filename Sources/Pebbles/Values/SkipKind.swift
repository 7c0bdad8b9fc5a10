/// Whether it matters that a pebble was skipped.
///
/// ```swift
/// for record in report.blocked { print(record.explanation) }
/// ```
///
/// The reason, see ``SkipReason``, says how a skip came about; the kind, what it means. It follows
/// from how all pebbles ended, never from timing; <doc:Conditions> has the rule. Conditions do not
/// tell them apart: ``Pebble/skipped`` is true of all.
///
/// More kinds may come with later versions.
public struct SkipKind: Sendable, Hashable, CustomStringConvertible {
  /// Some words for it: `not needed`.
  public let name: String

  private init(_ name: String) {
    self.name = name
  }

  /// It was to run, and could not: something that it needed, perhaps through others, failed or
  /// stalled, or it stalled itself, or what it waited for was not given back or stays down.
  public static let blocked = SkipKind("blocked")

  /// There was nothing for it to do: it is the way that was not taken, or needs what is on one.
  public static let notNeeded = SkipKind("not needed")

  /// It was disabled for this run.
  public static let disabled = SkipKind("disabled")

  /// The run was of some pebbles only, and none of them needs it.
  public static let notAskedFor = SkipKind("not asked for")

  /// The run was cancelled before it started.
  public static let cancelled = SkipKind("cancelled")

  /// All there are, the ones that matter most first.
  package static let all = [blocked, notNeeded, disabled, cancelled, notAskedFor]

  /// Some words for it.
  public var description: String { name }

  /// The sign of a skip: one for those that matter, one for the others.
  package var sign: String { self == .blocked ? "⊘" : "○" }

  /// What a pebble was, in a sentence that goes on with the reason.
  package var past: String {
    self == .blocked || self == .notNeeded ? "was \(name)" : "was skipped"
  }
}

extension BlockedPebbles {
  /// Whether it matters that a pebble was skipped; `nil` if it was not, or not yet when these were
  /// found.
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
