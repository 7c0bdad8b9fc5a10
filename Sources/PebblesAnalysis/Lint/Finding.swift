import Pebbles

/// A remark about the definition of a pond. See ``Pebbles/Pond/lint(also:ignoring:)``.
public struct Finding: Sendable, Hashable {
  /// The severity of a finding. Notes are informational; warnings are serious enough to fail a
  /// build.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Something unusual that may be intended.
    case note
    /// A likely mistake.
    case warning
    /// A fault that prevents the pond from running.
    case error

    /// Returns whether the left severity is lower: a note is below a warning, a warning below an
    /// error.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// A scenario that illustrates a finding. Every body that is called succeeds, unless its pebble
  /// is in `failing`. The cases that hold in the scenario are not included.
  public struct Example: Sendable, Hashable {
    /// The pebbles whose bodies fail, in definition order.
    public let failing: [String]

    /// The pebbles that are disabled, in definition order.
    public let disabled: [String]
  }

  /// The kind of the finding.
  public let kind: Kind

  /// The severity of the finding.
  public let severity: Severity

  /// The names of the pebbles that the finding concerns, in definition order. The pebbles of a
  /// cycle are in the order of the cycle. For ``Finding/Kind/lonelySuccess``, the waiting pebble
  /// comes before the awaited pebble.
  public let pebbles: [String]

  /// The names of other pebbles that never run because of the pebbles that this finding concerns,
  /// in definition order.
  package let followers: [String]

  /// The finding as one sentence, without a full stop.
  public let sentence: String

  /// Advice on what to do, as one sentence without a full stop.
  public let advice: String

  /// A scenario that illustrates the finding; `nil` if the finding has no example.
  public let example: Example?

  init(
    _ kind: Kind, _ severity: Severity, pebbles: [String], followers: [String] = [],
    _ sentence: String, advice: String, example: Example? = nil
  ) {
    self.kind = kind
    self.severity = severity
    self.pebbles = pebbles
    self.followers = followers
    self.sentence = sentence
    self.advice = advice
    self.example = example
  }
}

extension Finding {
  /// The kind of a finding. Later versions may add kinds.
  @nonexhaustive public enum Kind: String, Sendable, CaseIterable {
    /// A fault in the definition that prevents the pond from running. If there is such a fault, no
    /// findings of other kinds are reported.
    case definition

    /// A condition that is not true in any scenario.
    case neverTrue

    /// A pebble that never runs. In each scenario, either its condition is false, or the pebble
    /// stalls.
    case neverRuns

    /// A pebble that waits for itself in every scenario, directly or through others.
    case alwaysStalls

    /// A condition that is true in every scenario, although it depends on uncertain outcomes.
    case alwaysTrue

    /// An OR branch that is never true, or is never true together with the rest of the condition.
    /// The finding is a note if the OR accepts another outcome of the same pebble, as in
    /// `load.succeeded || load.skipped`.
    case unreachableBranch

    /// A part of a condition that has no effect. If the part is left out, the same pebbles still
    /// run in each scenario, and the pebble with the condition starts at the same moment. The only
    /// difference may be that a skip is decided later.
    case redundant

    /// A cycle of pebbles that wait for each other.
    case cycle

    /// A failure that is unhandled in some or all scenarios. Such findings are reported only on
    /// request, because in most ponds it is enough that failures appear in the report.
    case unhandledFailure

    /// The only pebble that waits for another pebble to succeed, while at least two others wait
    /// only for that pebble to complete.
    case lonelySuccess

    /// A pebble that nothing depends on, although something probably should, because the pebble has
    /// an output, or is unconnected in a pond in which most pebbles are connected.
    case unused

    /// A goal that no run reaches.
    case unreachableGoal

    /// Questions that would have taken too much work to answer. Findings may therefore be missing.
    case notDecided

    /// The kinds that are reported only on request, because in most ponds they are not mistakes.
    package static let onRequest: [Kind] = [.unhandledFailure]
  }
}

extension Finding: CustomStringConvertible {
  /// The severity, the sentence and the kind, with the advice on a second line.
  public var description: String {
    "\(severity.rawValue): \(sentence) [\(kind.rawValue)]\n  \(advice)"
  }
}
