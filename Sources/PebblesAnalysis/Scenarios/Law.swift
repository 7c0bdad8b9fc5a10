import Pebbles

/// A statement about outcomes that should be true in every run of a pond.
///
/// ```swift
/// let screens = Law.exactlyOne(of: home.succeeded, offline.succeeded, signUp.succeeded)
///   .labeled("one screen")
/// print(try pond.check(screens))
/// ```
///
/// A law applies to the end of a run, when every pebble has settled. Outcomes are set once and
/// never change, so a law that is broken before that moment stays broken.
public struct Law: Sendable {
  /// The label of the law. By default, this is the text of the law, in the form that
  /// ``PondModel/law(_:)`` reads.
  ///
  /// A long condition in the default label is truncated, as it would be if it were printed alone.
  public let label: String

  /// The condition that is true at the end of a run if and only if the law is kept. Its text may be
  /// very long, because shared operands are repeated.
  package let condition: Condition

  /// The conditions that the law counts, as in `exactlyOne(of:)`; empty if the law does not count
  /// conditions.
  package let alternatives: [Condition]

  private init(_ label: String, _ condition: Condition, of alternatives: [Condition] = []) {
    self.label = label
    self.condition = condition
    self.alternatives = alternatives
  }

  /// Returns a law that requires a condition to be true at the end of every run.
  public static func always(_ condition: Condition) -> Law {
    Law("always \(condition)", condition)
  }

  /// Returns a law that requires a condition to be false at the end of every run.
  public static func never(_ condition: Condition) -> Law {
    Law("never \(condition)", !condition)
  }

  /// Returns a law that requires exactly one of the conditions to be true at the end of every run.
  public static func exactlyOne(of conditions: Condition...) -> Law { exactlyOne(of: conditions) }

  /// Returns a law that requires exactly one of the conditions to be true at the end of every run.
  ///
  /// - Complexity: O(*n* + length of ``label``) for *n* conditions.
  public static func exactlyOne(of conditions: some Sequence<Condition>) -> Law {
    let conditions = Array(conditions)
    return Law(
      "exactly one of \(list(conditions))", Condition.counted(conditions).one,
      of: conditions)
  }

  /// Returns a law that requires at most one of the conditions to be true at the end of every run.
  public static func atMostOne(of conditions: Condition...) -> Law { atMostOne(of: conditions) }

  /// Returns a law that requires at most one of the conditions to be true at the end of every run.
  ///
  /// - Complexity: O(*n* + length of ``label``) for *n* conditions.
  public static func atMostOne(of conditions: some Sequence<Condition>) -> Law {
    let conditions = Array(conditions)
    let (none, one) = Condition.counted(conditions)
    return Law("at most one of \(list(conditions))", none || one, of: conditions)
  }

  /// Returns a law that requires `consequence` to be true at the end of every run in which
  /// `condition` is true.
  public static func implies(_ condition: Condition, _ consequence: Condition) -> Law {
    Law("\(condition) implies \(consequence)", !condition || consequence)
  }

  /// Returns a law that requires `condition` to become true in every run in which `trigger` becomes
  /// true, whether before or after `trigger`.
  ///
  /// Outcomes do not change, so this is the same as ``implies(_:_:)`` with the conditions
  /// exchanged.
  public static func eventually(_ condition: Condition, whenever trigger: Condition) -> Law {
    Law("eventually \(condition) whenever \(trigger)", !trigger || condition)
  }

  /// The label, truncated to 500 characters for use in a sentence.
  package var shortLabel: String { label.truncated(to: 500) }

  /// Returns this law with another label.
  public func labeled(_ label: String) -> Law { Law(label, condition, of: alternatives) }

  /// Returns the descriptions of the conditions, separated by commas. Like a printed condition, the
  /// list is truncated after a million bytes. For an empty array, returns the description of
  /// `.never`, because no condition could be true.
  private static func list(_ conditions: [Condition]) -> String {
    guard let first = conditions.first else { return Condition.never.description }
    var text = first.description
    for condition in conditions.dropFirst() {
      guard text.utf8.count < 1_000_000 else { return text + ", …" }
      text += ", \(condition)"
    }
    return text
  }
}

extension Law: CustomStringConvertible {
  /// The label.
  public var description: String { label }
}

/// The result of checking whether a law is kept in every scenario.
public struct LawResult: Sendable {
  /// The law that was checked.
  public let law: Law

  /// The verdict on the law.
  public let verdict: Verdict

  /// Facts that the verdict does not take into account.
  public let limitations: [ScenarioLimitation]

  /// A verdict on a law.
  public enum Verdict: Sendable, Hashable {
    /// A law that is kept in every scenario. If the failure policy cancels runs, the law is kept
    /// regardless of when the cancellation happens.
    case kept

    /// A law that is broken in the associated ending.
    ///
    /// The ending is one of the simplest in which the law is broken: these numbers are as small as
    /// possible, the first one before all others:
    ///
    /// - failing bodies
    /// - disabled pebbles
    /// - cases that hold, not counting a value that is the only one left
    /// - ready pebbles that a cancellation prevents from starting
    /// - bodies that are still running at the cancellation
    ///
    /// Among equally simple endings, the chosen one deviates as late as possible from a run in
    /// which every body succeeds.
    case broken(Ending)

    /// A law that is not known to be kept or broken.
    ///
    /// Either the law depends on unknown pebbles, or it is too large for the diagram, or the
    /// failure policy cannot be analyzed. In the last case, see ``LawResult/limitations``.
    case unknown
  }

  /// Whether the law is known to be kept in every scenario.
  public var isKept: Bool { verdict == .kept }

  /// One of the smallest scenarios that break the law; `nil` if no such scenario is known.
  public var counterexample: Ending? {
    if case .broken(let ending) = verdict { ending } else { nil }
  }
}

extension LawResult: CustomStringConvertible {
  /// The verdict and the law on one line, followed by a table of one of the smallest
  /// counterexamples if the law is broken, and by any limitations.
  public var description: String {
    let label = law.shortLabel.singleLine
    var lines: [String]
    switch verdict {
    case .kept: lines = ["kept: \(label)"]
    case .broken(let ending):
      let table = ending.table.split(separator: "\n").map { "  \($0)" }
      lines = ["broken: \(label)"] + table
    case .unknown: lines = ["unknown: \(label)"]
    }
    lines += limitations.map { "  (\($0))" }
    return lines.joined(separator: "\n")
  }
}
