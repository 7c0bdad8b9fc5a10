public import Pebbles

/// What can become of the goal of a pond: in how many endings it is reached, and what it takes to
/// miss it.
///
/// ```swift
/// if let goal = try pond.scenarios().goal { print(goal) }
/// // reached in 312 of 368 endings; not if ping and loadToken fail
/// ```
public struct GoalOutlook: Sendable {
  /// The goal.
  public let goal: Condition

  /// How often it is reached in the end; `nil` if that is unknown.
  public let occurrence: Occurrence?

  /// In how many endings it is reached; `nil` if that is unknown. `UInt128.max` stands for that
  /// many or more.
  public var reached: UInt128? { largeReached?.saturated }

  /// How many endings there are; `nil` if that is unknown. `UInt128.max` stands for that many or
  /// more.
  public var endings: UInt128? { largeEndings?.saturated }

  /// In how many endings it is reached, however many those are.
  package let largeReached: LargeCount?

  /// How many endings there are, however many those are.
  package let largeEndings: LargeCount?

  /// The smallest sets of bodies that have to fail, all others succeeding, for it to be missed.
  public let misses: FailureSets

  /// An ending without it, with the fewest failures; `nil` if there is none, or that is unknown.
  public let missed: Ending?
}

extension Scenarios {
  /// What can become of the goal of the pond; `nil` if it has none.
  ///
  /// - Complexity: That of ``count(where:)`` and ``smallestFailures(leadingTo:atMost:)``.
  public var goal: GoalOutlook? {
    guard let goal = model.goal else { return nil }
    // A goal of a pond without faults mentions none but its pebbles.
    return GoalOutlook(
      goal: goal, occurrence: (try? occurrence(of: goal)) ?? nil,
      largeReached: (try? largeCount(where: goal)) ?? nil, largeEndings: largeCount,
      misses: (try? smallestFailures(leadingTo: !goal, atMost: 10))
        ?? FailureSets(sets: [], isComplete: false),
      missed: (try? check(.always(goal)))?.counterexample)
  }
}

extension GoalOutlook: CustomStringConvertible {
  /// A sentence without its subject: in how many endings the goal is reached, and the smallest set
  /// of failures with which it is not.
  public var description: String {
    guard let reached = largeReached, let endings = largeEndings else {
      return "not known to be reached\(miss.map { "; \($0)" } ?? "")"
    }
    let all = endings.counted("ending")
    if reached == endings, occurrence == .always { return "reached in each of \(all)" }
    if reached.exact == 0 { return "reached in none of \(all)" }
    return "reached in \(reached.text(of: endings, "ending"))\(miss.map { "; \($0)" } ?? "")"
  }

  /// What it takes to miss it.
  private var miss: String? {
    guard let smallest = misses.sets.first else { return nil }
    guard !smallest.isEmpty else { return "it may be missed though nothing fails\(values)" }
    var names = smallest.prefix(4).map { $0.shortName }
    if smallest.count > names.count { names.append("\(smallest.count - names.count) more") }
    let others = misses.sets.count > 1 ? ", among others" : ""
    return "not if \(names.joined(" and ")) \(smallest.count == 1 ? "fails" : "fail")\(others)"
  }

  /// Which values and cases that takes, for example.
  private var values: String {
    guard let missed else { return "" }
    let named = missed.outcomes.indices.compactMap { position in
      missed.caseCaption(at: position).map {
        "\(missed.model.pond.graph.names[position].shortName) "
          + "\(missed.outcomes[position]) \($0)"
      }
    }
    return named.isEmpty ? "" : ", for example if \(Array(named.prefix(3)).joined(" and "))"
  }
}
