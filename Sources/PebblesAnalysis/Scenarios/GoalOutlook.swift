public import Pebbles

/// The prospects of reaching a pond's goal: how many endings reach it, and which failures make a
/// run miss it.
///
/// ```swift
/// if let goal = try pond.scenarios().goal { print(goal) }
/// // reached in 312 of 368 endings; not if ping and loadToken fail
/// ```
public struct GoalOutlook: Sendable {
  /// The goal.
  public let goal: Condition

  /// Whether the goal is reached always, sometimes or never; `nil` if that is unknown.
  public let occurrence: Occurrence?

  /// The number of endings that reach the goal, or `UInt128.max` if the number is larger; `nil` if
  /// it is unknown.
  public var reached: UInt128? { largeReached?.saturated }

  /// The number of endings, or `UInt128.max` if the number is larger; `nil` if it is unknown.
  public var endings: UInt128? { largeEndings?.saturated }

  /// The number of endings that reach the goal, even if it exceeds `UInt128`; `nil` if it is
  /// unknown.
  package let largeReached: LargeCount?

  /// The number of endings, even if it exceeds `UInt128`; `nil` if it is unknown.
  package let largeEndings: LargeCount?

  /// The smallest sets of failing bodies that make a run miss the goal, up to ten sets. All other
  /// bodies succeed.
  public let misses: FailureSets

  /// An ending that misses the goal with as few failures as possible; `nil` if no ending is known
  /// to miss the goal.
  public let missed: Ending?
}

extension Scenarios {
  /// The outlook for the goal of the pond; `nil` if the pond has no goal.
  ///
  /// - Complexity: The same as ``count(where:)`` and ``smallestFailures(leadingTo:atMost:)``
  ///   together.
  public var goal: GoalOutlook? {
    guard let goal = model.goal else { return nil }
    // The goal of a pond without faults mentions only pebbles of that pond.
    return GoalOutlook(
      goal: goal, occurrence: (try? occurrence(of: goal)) ?? nil,
      largeReached: (try? largeCount(where: goal)) ?? nil, largeEndings: largeCount,
      misses: (try? smallestFailures(leadingTo: !goal, atMost: 10))
        ?? FailureSets(sets: [], isComplete: false),
      missed: (try? check(.always(goal)))?.counterexample)
  }
}

extension GoalOutlook: CustomStringConvertible {
  /// The outlook, worded to follow "the goal is":
  /// `reached in 312 of 368 endings; not if ping fails`. It states the number of endings that reach
  /// the goal, and a smallest set of failures that makes a run miss it.
  public var description: String {
    guard let reached = largeReached, let endings = largeEndings else {
      return "not known to be reached\(miss.map { "; \($0)" } ?? "")"
    }
    let all = endings.counted("ending")
    if reached == endings, occurrence == .always { return "reached in each of \(all)" }
    if reached.exact == 0 { return "reached in none of \(all)" }
    return "reached in \(reached.text(of: endings, "ending"))\(miss.map { "; \($0)" } ?? "")"
  }

  /// The failures that make a run miss the goal, as a clause; `nil` if no such failures are known.
  private var miss: String? {
    guard let smallest = misses.sets.first else { return nil }
    guard !smallest.isEmpty else { return "it may be missed though nothing fails\(values)" }
    let names = smallest.listed(\.shortName)
    let others = misses.sets.count > 1 ? ", among others" : ""
    return "not if \(names.joined(" and ")) \(smallest.count == 1 ? "fails" : "fail")\(others)"
  }

  /// Example values and cases that make a run miss the goal, worded to follow a clause:
  /// `, for example if flip succeeds as tails`; empty if there is no such example.
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
