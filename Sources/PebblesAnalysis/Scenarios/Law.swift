import Pebbles

/// Something that is to be true of every run of a pond, said over outcomes.
///
/// ```swift
/// let screens = Law.exactlyOne(of: home.succeeded, offline.succeeded, signUp.succeeded)
///   .labeled("one screen")
/// print(try pond.check(screens))
/// ```
///
/// A law speaks of the moment when a run is over and every pebble has settled. As outcomes are set
/// once and never change, one that is broken earlier stays so.
public struct Law: Sendable {
  /// What the law is called: what it says, in words that ``PondModel/law(_:)`` reads, unless it was
  /// given a label.
  ///
  /// A condition is as long there as when it is printed by itself.
  public let label: String

  /// What is true as long as the law is kept. Large, where parts of it are shared.
  package let condition: Condition

  /// Of which it says how many are true; empty if it says something else.
  package let alternatives: [Condition]

  private init(_ label: String, _ condition: Condition, of alternatives: [Condition] = []) {
    self.label = label
    self.condition = condition
    self.alternatives = alternatives
  }

  /// The condition is true in the end.
  public static func always(_ condition: Condition) -> Law {
    Law("always \(condition)", condition)
  }

  /// The condition is false in the end.
  public static func never(_ condition: Condition) -> Law {
    Law("never \(condition)", !condition)
  }

  /// Of the conditions one is true in the end, and only one.
  public static func exactlyOne(of conditions: Condition...) -> Law { exactlyOne(of: conditions) }

  /// Of the conditions one is true in the end, and only one.
  ///
  /// - Complexity: O(conditions).
  public static func exactlyOne(of conditions: some Sequence<Condition>) -> Law {
    let conditions = Array(conditions)
    return Law(
      "exactly one of \(list(conditions))", Condition.counted(conditions).one,
      of: conditions)
  }

  /// Of the conditions not more than one is true in the end.
  public static func atMostOne(of conditions: Condition...) -> Law { atMostOne(of: conditions) }

  /// Of the conditions not more than one is true in the end.
  ///
  /// - Complexity: O(conditions).
  public static func atMostOne(of conditions: some Sequence<Condition>) -> Law {
    let conditions = Array(conditions)
    let (none, one) = Condition.counted(conditions)
    return Law("at most one of \(list(conditions))", none || one, of: conditions)
  }

  /// If the first condition is true in the end, so is the second.
  public static func implies(_ condition: Condition, _ consequence: Condition) -> Law {
    Law("\(condition) implies \(consequence)", !condition || consequence)
  }

  /// Whenever the second condition becomes true, the first does too before the run is over, be it
  /// earlier or later.
  ///
  /// As outcomes do not change any more, this asks the same as ``implies(_:_:)``.
  public static func eventually(_ condition: Condition, whenever trigger: Condition) -> Law {
    Law("eventually \(condition) whenever \(trigger)", !trigger || condition)
  }

  /// The label in a sentence.
  package var shortLabel: String { label.truncated(to: 500) }

  /// The same law under a name of its own.
  public func labeled(_ label: String) -> Law { Law(label, condition, of: alternatives) }

  /// Conditions with commas between them, cut where conditions are: after a million bytes. None of
  /// none is true, as of `.never`.
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

/// What became of a law: whether it is kept in every scenario.
public struct LawResult: Sendable {
  /// The law.
  public let law: Law

  /// Whether it is kept.
  public let verdict: Verdict

  /// What the verdict does not take into account.
  public let limitations: [ScenarioLimitation]

  /// Whether a law is kept.
  public enum Verdict: Sendable, Hashable {
    /// In every scenario, and at whatever moment a failure cancels the run, if the policy says so.
    case kept

    /// Not in this one: of those that break it, one with the fewest failing bodies; among these,
    /// with the fewest disabled pebbles, then with the fewest pebbles that a cancellation catches
    /// when they are ready; and of those that are left, one in which things go wrong as late as
    /// they can.
    case broken(Ending)

    /// The law depends on pebbles that are unknown, or does not fit itself; or the failure policy
    /// is a closure, or what it cancels cannot be followed, as ``LawResult/limitations`` say then.
    case unknown
  }

  /// Whether the law is kept in every scenario, as far as that is known.
  public var isKept: Bool { verdict == .kept }

  /// The smallest scenario that breaks the law.
  public var counterexample: Ending? {
    if case .broken(let ending) = verdict { ending } else { nil }
  }
}

extension LawResult: CustomStringConvertible {
  /// A sentence; for a broken law with a table of what happens in the smallest scenario that breaks
  /// it.
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
