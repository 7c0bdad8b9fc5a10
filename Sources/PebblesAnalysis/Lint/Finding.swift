import Pebbles

/// Something about the definition of a pond that its author may want to know. See
/// ``Pebbles/Pond/lint(also:ignoring:)``.
public struct Finding: Sendable, Hashable {
  /// How much a finding matters. Whoever wants to know of notes reads them; a build fails on
  /// warnings.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Worth knowing; may well be meant.
    case note
    /// Hardly meant.
    case warning
    /// The pond cannot run.
    case error

    /// A note matters less than a warning, and that less than an error.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// A scenario in which what the finding says can be seen: all bodies that start succeed, but for
  /// these.
  public struct Example: Sendable, Hashable {
    /// The pebbles whose bodies fail, in definition order.
    public let failing: [String]

    /// The pebbles that are disabled, in definition order.
    public let disabled: [String]
  }

  /// What it is about.
  public let kind: Kind

  /// How much it matters.
  public let severity: Severity

  /// The names of the pebbles that it is about, in definition order; for a cycle, along the cycle.
  public let pebbles: [String]

  /// The names of further pebbles that never run for this reason alone, in definition order.
  public let followers: [String]

  /// What there is to know, as one sentence without a full stop.
  public let sentence: String

  /// What to do about it, as one sentence without a full stop.
  public let advice: String

  /// A scenario that shows it, if one does.
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
  /// What a finding is about. More may come with later versions.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// A word for it, for settings and files.
    public let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The pond is defined wrongly and cannot run; nothing else is looked for.
    public static let definition = Kind("definition")

    /// The condition is true in no scenario.
    public static let neverTrue = Kind("neverTrue")

    /// The pebble runs in no scenario: its condition is false in some, and it stalls in others.
    public static let neverRuns = Kind("neverRuns")

    /// The pebble waits, over others, for itself, in every scenario.
    public static let alwaysStalls = Kind("alwaysStalls")

    /// The condition is true in every scenario, though it speaks of outcomes that need not come.
    public static let alwaysTrue = Kind("alwaysTrue")

    /// A part of an OR is true in no scenario. A note where it is one of several outcomes of the
    /// same pebble, as in `load.succeeded || load.skipped`.
    public static let unreachableBranch = Kind("unreachableBranch")

    /// A part of a condition changes nothing: without it the same pebbles run in every scenario,
    /// and the pebble starts at the same moment. At most it is skipped at a later one.
    public static let redundant = Kind("redundant")

    /// Pebbles wait for each other in a cycle.
    public static let cycle = Kind("cycle")

    /// The failure of a pebble goes unnoticed, always or in some scenario. Looked for on request:
    /// most ponds leave failures to their reports.
    public static let unhandledFailure = Kind("unhandledFailure")

    /// One pebble waits for the success of another of which all others only want to know that it
    /// has completed.
    public static let lonelySuccess = Kind("lonelySuccess")

    /// Nothing depends on a pebble, though it could be expected.
    public static let unused = Kind("unused")

    /// No run reaches the goal of the pond.
    public static let unreachableGoal = Kind("unreachableGoal")

    /// How many questions took too much work, so that findings may be missing.
    public static let notDecided = Kind("notDecided")

    /// All kinds there are in this version.
    public static let all: [Kind] = [
      .definition, .neverTrue, .neverRuns, .alwaysStalls, .alwaysTrue, .unreachableBranch,
      .redundant, .cycle, .unhandledFailure, .lonelySuccess, .unused,
      .unreachableGoal, .notDecided,
    ]

    /// The kinds that are looked for only on request, as they are no mistakes in most ponds.
    public static let onRequest: [Kind] = [.unhandledFailure]

    /// The word for it.
    public var description: String { name }
  }
}

extension Finding: CustomStringConvertible {
  /// Severity, sentence, kind, and what to do on a second line.
  public var description: String { "\(severity.rawValue): \(sentence) [\(kind)]\n  \(advice)" }
}
