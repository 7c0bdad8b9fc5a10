import Pebbles

extension Scenarios {
  /// Returns the smallest sets of failing bodies that make a condition true at the end of a run.
  /// All other bodies that are called succeed.
  ///
  /// ```swift
  /// try scenarios.smallestFailures(leadingTo: home.skipped)       // home does not run
  /// try scenarios.smallestFailures(leadingTo: offline.completed)  // offline runs
  /// ```
  ///
  /// Every pebble is enabled. Under the policy `.cancelAll`, a set suffices if a cancellation at
  /// some moment makes the condition true. If the policy is a closure, the sets apply to runs that
  /// the closure does not cancel. A set is listed if it suffices and none of its proper subsets
  /// does. These sets are *minimal solutions* as defined by Rauzy (*New algorithms for fault trees
  /// analysis*, 1993), except that the condition need not be monotone. Each set is found as the
  /// cheapest path through the decision diagram. The set and all its supersets are then excluded
  /// from the search.
  ///
  /// - Parameters:
  ///   - condition: The condition that the failures make true.
  ///   - most: The maximum number of sets.
  /// - Returns: The sets, smallest first.
  /// - Throws: `UnknownPebbleError` if the condition mentions a pebble, or a case, that the model
  ///   does not have.
  /// - Complexity: For each set, O(nodes) plus a conjunction of diagrams.
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
    // A run that a failure cancels may have other sets. No policy affects a run without failures.
    return (sets, isComplete && (model.ignoresFailures || sets == [[]]))
  }

  /// Returns the ending of a run in which some bodies fail when they are called, and all others
  /// succeed.
  ///
  /// The run is simulated with the engine, so the result is exact even if diagrams would be too
  /// large. ``Assumption`` describes what it means for a pebble to fail or to be disabled. A
  /// failure cancels the run only after all bodies that can end have ended; see ``Endings``.
  ///
  /// - Parameters:
  ///   - failing: The pebbles whose bodies fail.
  ///   - disabling: The pebbles that take no part in the run.
  /// - Returns: The outcomes of all pebbles.
  /// - Throws: The same errors as ``ending(given:)``.
  /// - Complexity: The same as a run without bodies, O(pebbles + atoms + *n* log *n*) for *n*
  ///   pebbles, if nothing stalls.
  public func ending(
    failing: [any PebbleIdentifying] = [], disabling: [any PebbleIdentifying] = []
  ) throws -> Ending {
    var assumptions: [Assumption] = []
    for pebble in failing { assumptions.append(.fails(pebble)) }
    for pebble in disabling { assumptions.append(.disabled(pebble)) }
    return try ending(given: assumptions)
  }

  /// Returns the ending of a run under the given assumptions.
  ///
  /// ```swift
  /// try scenarios.ending(given: [.fails(database, as: locked), .succeeds(flip, as: .tails)])
  /// ```
  ///
  /// - Parameter assumptions: The assumptions. All other bodies succeed, and no other cases hold.
  /// - Returns: The outcomes of all pebbles.
  /// - Throws: `UnknownPebbleError` if an assumption names a pebble that the model does not have;
  ///   ``AssumptionError`` if the assumptions are impossible, or if conditions depend on an output
  ///   value that the assumptions do not state.
  /// - Complexity: The same as a run without bodies, O(pebbles + atoms + *n* log *n*) for *n*
  ///   pebbles, if nothing stalls.
  public func ending(given assumptions: [Assumption]) throws -> Ending {
    Ending(of: try model.assumed(assumptions))
  }

  /// Checks whether a law is kept in every scenario. Under the policy `.cancelAll`, the law must be
  /// kept regardless of when a run is cancelled.
  ///
  /// If the policy is a closure, its effect on runs with failures is unknown. A run without
  /// failures never calls the closure, so such a run may still show that the law is broken.
  /// Otherwise, the verdict is unknown.
  ///
  /// - Returns: The result. If the law is broken, the verdict contains one of the smallest endings
  ///   that break it.
  /// - Throws: `UnknownPebbleError` if the law mentions a pebble, or a case, that the model does
  ///   not have.
  public func check(_ law: Law) throws -> LawResult {
    try check(law.condition, mentionedBy: law.label)
    switch model.failurePolicy {
    case .ignore:
      return LawResult(law: law, verdict: verdict(on: law) ?? .unknown, limitations: limitations)
    case .cancelAll:
      if let verdict = cancelledVerdict(on: law), verdict != .unknown {
        return LawResult(law: law, verdict: verdict, limitations: limitations)
      }
      // If the law is broken when the failure comes last, it is broken in a possible ending.
      let verdict = verdict(on: law) ?? .unknown
      guard verdict == .kept else {
        return LawResult(law: law, verdict: verdict, limitations: limitations)
      }
      return LawResult(law: law, verdict: .unknown, limitations: limitations + [.failurePolicy])
    case .custom:
      // The policy is never called for runs without a failure.
      if case .broken(let ending)? = verdict(on: law), ending.failed.isEmpty {
        return LawResult(law: law, verdict: .broken(ending), limitations: limitations)
      }
      return LawResult(law: law, verdict: .unknown, limitations: limitations)
    }
  }

  /// Returns the verdict on a law, assuming that a failure cancels a run only after all bodies that
  /// can end have ended; `nil` if the verdict is not known.
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

  /// Returns the verdict on a law for all runs, including runs that a failure cuts off; `nil` if
  /// the verdict is not known.
  private func cancelledVerdict(on law: Law) -> LawResult.Verdict? {
    diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) -> LawResult.Verdict in
      guard let isBroken = try scenarios.runs(where: !law.condition) else { return .unknown }
      guard isBroken != .never else { return .kept }
      let cases = model.mentionedCases(and: law.condition)
      return scenarios.ending(where: isBroken, asking: cases).map { .broken($0) } ?? .unknown
    }
  }

  /// Checks whether each of the given laws is kept in every scenario.
  ///
  /// - Returns: The results, in the order of the laws.
  /// - Throws: `UnknownPebbleError` if a law mentions a pebble, or a case, that the model does not
  ///   have.
  public func check(_ laws: [Law]) throws -> [LawResult] {
    var results: [LawResult] = []
    for law in laws { results.append(try check(law)) }
    return results
  }

  /// Throws `UnknownPebbleError` if a condition mentions a pebble, or a case, that the model does
  /// not have.
  func check(
    _ condition: Condition, mentionedBy text: @autoclosure () -> String
  ) throws {
    if let error = condition.error(mentionedBy: text, in: model) { throw error }
  }
}

extension Pond {
  /// Checks whether laws are kept in every scenario of the pond as it is defined now.
  ///
  /// - Parameters:
  ///   - laws: The laws.
  ///   - limit: The maximum number of nodes in the decision diagrams; see
  ///     ``scenarios(only:limit:)``.
  /// - Returns: The results, in the order of the laws.
  /// - Throws: `PondError` if the pond is defined incorrectly, and `UnknownPebbleError` if a law
  ///   mentions a pebble, or a case, that the pond does not have.
  public func check(_ laws: Law..., limit: Int? = nil) throws -> [LawResult] {
    try check(laws, limit: limit)
  }

  /// Checks whether each law in an array is kept in every scenario of the pond as it is defined
  /// now.
  ///
  /// - Parameters:
  ///   - laws: The laws.
  ///   - limit: The maximum number of nodes in the decision diagrams; see
  ///     ``scenarios(only:limit:)``.
  /// - Returns: The results, in the order of the laws.
  /// - Throws: `PondError` if the pond is defined incorrectly, and `UnknownPebbleError` if a law
  ///   mentions a pebble, or a case, that the pond does not have.
  public func check(_ laws: [Law], limit: Int? = nil) throws -> [LawResult] {
    try scenarios(limit: limit).check(laws)
  }
}

/// Sets of failing bodies that make a condition true, smallest first.
public struct FailureSets: Sendable, Hashable {
  /// The sets. Each contains the names of the pebbles that fail, in definition order. No set
  /// contains another set. An empty set means that no failure is needed.
  public let sets: [[String]]

  /// Whether `sets` is known to contain every minimal set.
  public let isComplete: Bool
}

extension FailureSets: CustomStringConvertible {
  /// A line for each set, or a remark if there are no sets, followed by a further remark if there
  /// may be more sets.
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
