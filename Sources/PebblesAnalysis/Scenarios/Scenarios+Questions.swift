import Pebbles

extension Scenarios {
  /// The smallest sets of bodies that have to fail, all others succeeding if they are called, for a
  /// condition to be true in the end.
  ///
  /// ```swift
  /// try scenarios.smallestFailures(leadingTo: home.skipped)       // home does not run
  /// try scenarios.smallestFailures(leadingTo: offline.completed)  // offline does
  /// ```
  ///
  /// Every pebble is enabled, and what the policy `.cancelAll` cancels is what leads there most
  /// easily. A set is listed if none of its subsets will do: these are the
  /// *minimal solutions* of Rauzy (*New algorithms for fault trees analysis*, 1993), here for
  /// conditions that need not be monotone. Each is found as the cheapest path through the decision
  /// diagram; then it and all its supersets are ruled out.
  ///
  /// - Parameters:
  ///   - condition: What the failures are to lead to.
  ///   - most: How many sets are listed at most.
  /// - Returns: The sets, smallest first.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the model does not have.
  /// - Complexity: O(nodes) for each set, and a conjunction.
  public func smallestFailures(
    leadingTo condition: Condition, atMost most: Int = 100
  ) throws -> FailureSets {
    try check(condition, mentionedBy: condition.description)
    guard let (sets, isComplete) = sets(leadingTo: condition, atMost: most) else {
      return FailureSets(sets: [], isComplete: false)
    }
    let names = model.pond.graph.names
    return FailureSets(
      sets: sets.map { $0.sorted().map { names[$0] } }, isComplete: isComplete)
  }

  private func sets(
    leadingTo condition: Condition, atMost most: Int
  ) -> (sets: [[Int]], isComplete: Bool)? {
    if model.failurePolicy == .cancelAll {
      let found = diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) in
        try scenarios.runs(where: condition).map {
          scenarios.run.smallestFailures(leadingTo: $0, atMost: most)
        }
      }
      if case let found?? = found { return found }
    }
    let found = diagrams.ask { run throws(DiagramLimitReached) in
      try run.function(of: condition).map { run.smallestFailures(leadingTo: $0, atMost: most) }
    }
    guard case let (sets, isComplete)?? = found else { return nil }
    return (sets, isComplete && model.failurePolicy != .cancelAll)
  }

  /// How a run ends in which some bodies fail, if they are called, and all others succeed.
  ///
  /// Simulated with the engine, so it is exact also where diagrams would be too large. What it
  /// means for a pebble to fail or to be disabled, see ``Assumption``. Where a failure cancels the
  /// run, it comes last: see ``Scenarios/endings``.
  ///
  /// - Parameters:
  ///   - failing: The pebbles whose bodies fail.
  ///   - disabling: The pebbles that take no part.
  /// - Returns: The outcomes of all pebbles.
  /// - Throws: As ``ending(given:)``.
  /// - Complexity: As a run without bodies, O(pebbles + atoms + *n* log *n*) for *n* pebbles.
  public func ending(
    failing: [any PebbleIdentifying] = [], disabling: [any PebbleIdentifying] = []
  ) throws -> Ending {
    var assumptions: [Assumption] = []
    for pebble in failing { assumptions.append(.fails(pebble)) }
    for pebble in disabling { assumptions.append(.disabled(pebble)) }
    return try ending(given: assumptions)
  }

  /// How a run ends of which some things are assumed.
  ///
  /// ```swift
  /// try scenarios.ending(given: [.fails(database, as: locked), .succeeds(flip, as: .tails)])
  /// ```
  ///
  /// - Parameter assumptions: What is assumed. All other bodies succeed, and no other cases hold.
  /// - Returns: The outcomes of all pebbles.
  /// - Throws: `UnknownPebbleError`; ``AssumptionError`` for a case that a pebble does not have,
  ///   and for a pebble that succeeds, on the value of which others depend, if it is not said.
  /// - Complexity: As a run without bodies, O(pebbles + atoms + *n* log *n*) for *n* pebbles.
  public func ending(given assumptions: [Assumption]) throws -> Ending {
    Ending(of: try model.assumed(assumptions))
  }

  /// Whether a law is kept in every scenario, and, under the policy `.cancelAll`, whatever the
  /// cancellation of a run still catches.
  ///
  /// If the policy is a closure, a law may be broken by a run without a failure, of which the
  /// policy is not told; otherwise the result is unknown.
  ///
  /// - Returns: The result, with the smallest scenario that breaks the law if there is one.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the model does not have.
  public func check(_ law: Law) throws -> LawResult {
    try check(law.condition, mentionedBy: law.label)
    switch model.failurePolicy {
    case .ignore:
      return LawResult(law: law, verdict: verdict(on: law) ?? .unknown, limitations: limitations)
    case .cancelAll:
      if let verdict = cancelledVerdict(on: law), verdict != .unknown {
        return LawResult(law: law, verdict: verdict, limitations: limitations)
      }
      // What breaks the law where the failure comes last breaks it all the same.
      let verdict = verdict(on: law) ?? .unknown
      guard verdict == .kept else {
        return LawResult(law: law, verdict: verdict, limitations: limitations)
      }
      return LawResult(law: law, verdict: .unknown, limitations: limitations + [.failurePolicy])
    case .custom:
      // Of runs without a failure the policy is never told.
      if case .broken(let ending)? = verdict(on: law), ending.failed.isEmpty {
        return LawResult(law: law, verdict: .broken(ending), limitations: limitations)
      }
      return LawResult(law: law, verdict: .unknown, limitations: limitations)
    }
  }

  /// Whether a law is kept in every run in which the failure that cancels it, if any, comes last.
  private func verdict(on law: Law) -> LawResult.Verdict? {
    diagrams.ask { run throws(DiagramLimitReached) -> LawResult.Verdict in
      guard let isKept = try run.function(of: law.condition) else { return .unknown }
      guard isKept != .always else { return .kept }
      let unusual = run.smallestScenario(where: !isKept)
      let cases = model.mentionedCases(and: law.condition)
      return .broken(
        ScenarioSimulation.ending(of: model, asking: cases) { $0.value(unusual: unusual) })
    }
  }

  /// Whether a law is kept in every run, also in those that a failure cuts off.
  private func cancelledVerdict(on law: Law) -> LawResult.Verdict? {
    diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) -> LawResult.Verdict in
      guard let isBroken = try scenarios.runs(where: !law.condition) else { return .unknown }
      guard isBroken != .never else { return .kept }
      let cases = model.mentionedCases(and: law.condition)
      return scenarios.ending(where: isBroken, asking: cases).map { .broken($0) } ?? .unknown
    }
  }

  /// Whether laws are kept in every scenario.
  ///
  /// - Returns: The results, in the order of the laws.
  /// - Throws: `UnknownPebbleError` if one mentions a pebble that the model does not have.
  public func check(_ laws: [Law]) throws -> [LawResult] {
    var results: [LawResult] = []
    for law in laws { results.append(try check(law)) }
    return results
  }

  /// Makes sure that a condition is about this pond.
  func check(
    _ condition: Condition, mentionedBy text: @autoclosure () -> String
  ) throws {
    if let error = condition.error(mentionedBy: text, in: model) { throw error }
  }
}

extension Pond {
  /// Whether laws are kept in every scenario of the pond as it is defined now.
  ///
  /// - Parameters:
  ///   - laws: The laws.
  ///   - limit: How many nodes the decision diagrams may have, see ``scenarios(only:limit:)``.
  /// - Returns: The results, in the order of the laws.
  /// - Throws: `PondError` if the pond is defined wrongly, `UnknownPebbleError` if a law mentions a
  ///   pebble that it does not have.
  public func check(_ laws: Law..., limit: Int? = nil) throws -> [LawResult] {
    try scenarios(limit: limit).check(laws)
  }
}

/// Sets of failing bodies that lead to something, smallest first.
public struct FailureSets: Sendable, Hashable {
  /// The names of the pebbles that fail, in definition order, for each set. No set contains another
  /// one. A set without names says that no failure is needed.
  public let sets: [[String]]

  /// Whether these are all.
  public let isComplete: Bool
}

extension FailureSets: CustomStringConvertible {
  /// A line per set.
  public var description: String {
    var lines = sets.map { names in
      names.isEmpty
        ? "no failure is needed"
        : names.map(\.shortName).joined(separator: ", ")
    }
    if lines.isEmpty && isComplete { lines = ["no failures lead there"] }
    if !isComplete { lines.append("… and perhaps more") }
    return lines.joined(separator: "\n")
  }
}
