import Pebbles

/// Everything that can happen in runs of a pond: all ways in which bodies succeed or fail, and what
/// follows from each.
///
/// ```swift
/// let scenarios = try pond.scenarios()
/// scenarios.count                                        // how many endings there are
/// scenarios.neverRun                                     // pebbles that cannot run
/// try scenarios.smallestFailures(leadingTo: home.skipped)  // what it takes to get there
/// try scenarios.ending(failing: [ping])                  // how everything else ends
/// ```
///
/// It speaks of runs that nothing but a failure cancels, and that have no deadline. A body fails if
/// its last attempt does; a service succeeds by becoming ready. Bodies are taken to be independent
/// of each other: each may succeed or fail, whatever the others did. What is not taken into account
/// is in ``limitations``.
///
/// Under the policy `.cancelAll` a failure that no pebble handles cancels a run, and what that
/// catches depends on how far the run has come. So what is said to be always so, or never, is so at
/// whatever moment the run is cancelled; ``endings`` are those in which the failure comes last.
/// Last does not mean after a stall: a stall is settled only when nothing runs any more, so a
/// failure that needs none comes before it, and what the stall would have let start is cancelled.
/// What a `.custom` policy does is not known: then nothing is said to be always so that a run which
/// ends early might break, and no law is said to be kept.
///
/// How each pebble ends is kept as a binary decision diagram over the outcomes of the bodies
/// (Bryant, 1986), so all scenarios are looked at without running through them one by one. In the
/// worst case such a diagram is exponential; there is a limit on its size, and pebbles that do not
/// fit are ``unknown``, while all that is said of others stays exact.
public struct Scenarios: Sendable {
  /// The logic of the pond.
  public let model: PondModel

  /// What is not taken into account.
  public let limitations: [ScenarioLimitation]

  let diagrams: ScenarioDiagrams

  package init(_ model: PondModel, limit: Int) {
    self.model = model
    let run = SymbolicRun(model, limit: limit)
    diagrams = ScenarioDiagrams(run, limit: limit)
    var limitations = run.limitations(limit: limit)
    if !diagrams.areEndingsKnown { limitations.append(.failurePolicy) }
    self.limitations = limitations
  }

  /// Whether all that is said here is true of real runs as it stands: no failure policy that is a
  /// closure, nothing unknown.
  public var isExact: Bool { limitations.isEmpty }

  /// The names of the pebbles whose bodies are called in every scenario, in definition order.
  public var alwaysRun: [String] { names { $0 == .always } }

  /// The names of the pebbles whose bodies are called in no scenario, in definition order.
  public var neverRun: [String] { names { $0 == .never } }

  /// The names of the pebbles whose bodies are called in some scenarios, in definition order.
  public var sometimesRun: [String] { names { $0 == .sometimes } }

  /// The names of the pebbles of which that is not known, for lack of room, or because the failure
  /// policy is a closure, in definition order.
  public var unknown: [String] { names { $0 == nil } }

  private func names(where isIncluded: (Occurrence?) -> Bool) -> [String] {
    (0..<model.count).filter { isIncluded(runs(at: $0)) }.map { model.pond.graph.names[$0] }
  }

  /// How often the body of a pebble is called; `nil` if that is unknown, or the pebble is not part
  /// of the model.
  public func runs(_ pebble: some PebbleIdentifying) -> Occurrence? {
    model.position(of: pebble).flatMap(runs)
  }

  private func runs(at position: Int) -> Occurrence? {
    guard let pebble = diagrams.pebbles[position] else { return nil }
    if diagrams.areStallsCutOff {
      return occurrenceOfAll(where: model.completion(of: position))
    }
    let occurrence = Occurrence(pebble.ran)
    // What does not run otherwise does not run in a run that ends early.
    guard occurrence == .always, !model.ignoresFailures else { return occurrence }
    let known = diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) in
      let exception = try scenarios.isCaught(position)
      return scenarios.occurrence(.always, unless: exception)
    }
    return known ?? nil
  }

  /// How often a condition is true in the end, when every pebble has settled.
  ///
  /// - Returns: How often; `nil` if that is unknown.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the model does not have.
  public func occurrence(of condition: Condition) throws -> Occurrence? {
    try check(condition, mentionedBy: condition.description)
    if diagrams.areStallsCutOff { return occurrenceOfAll(where: condition) }
    let occurrence =
      diagrams.ask { run throws(DiagramLimitReached) in
        try run.function(of: condition).map(Occurrence.init)
      } ?? nil
    guard let occurrence, occurrence != .sometimes, !model.ignoresFailures else {
      return occurrence
    }
    let known = diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) in
      guard let (_, cut) = try scenarios.functions(of: condition) else { return Occurrence?.none }
      let exception = try scenarios.cut(where: occurrence == .always ? !cut : cut)
      return scenarios.occurrence(occurrence, unless: exception)
    }
    return known ?? nil
  }

  /// The names of the pebbles whose failures no pebble handles in some ending, in definition order:
  /// see `Report.unhandledFailures`. `nil` if that is unknown.
  ///
  /// - Complexity: O(pebbles + atoms) conjunctions of diagrams.
  public var unhandledFailures: [String]? {
    let names = model.pond.graph.names
    return diagrams.ask { run throws(DiagramLimitReached) in
      let unhandled = try run.unhandledFailures(run.progressInTheEnd())
      return unhandled.indices.filter { unhandled[$0] != .never }.map { names[$0] }
    }
  }

  /// How often a condition is true in all runs, be they cancelled or not.
  private func occurrenceOfAll(where condition: Condition) -> Occurrence? {
    diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) in
      try scenarios.occurrence(of: condition)
    } ?? nil
  }

  /// How many endings there are: ways in which the pebbles can end, told apart by who succeeded,
  /// failed, was skipped or disabled; where a failure cancels the run, with all that can having
  /// ended before. `nil` if that is unknown; from 2¹²⁸ up a number does not fit, and `UInt128.max`
  /// stands for that many or more.
  ///
  /// - Complexity: When first asked for, that of a conjunction over all pebbles.
  public var count: UInt128? { largeCount?.saturated }

  /// How many endings there are, however many those are; `nil` if that is unknown.
  package var largeCount: LargeCount? { diagrams.endingCount }

  /// All endings, one after the other. This needs no diagrams, and is exact where they are too
  /// large.
  public var endings: Endings { Endings(model: model) }
}

/// In how many scenarios something is so.
public enum Occurrence: Sendable, Hashable {
  /// In every one.
  case always
  /// In some, but not in others.
  case sometimes
  /// In none.
  case never

  init(_ function: BooleanFunction) {
    self = function == .always ? .always : function == .never ? .never : .sometimes
  }
}

extension Pond {
  /// Everything that can happen in runs of the pond as it is defined now.
  ///
  /// - Parameters:
  ///   - targets: What the runs are of, with all that this needs, as in `Pond.run(only:)`; if
  ///     `nil`, everything. Of others nothing can be asked then.
  ///   - limit: How many nodes the decision diagrams may have, at 40 bytes or so: a million if not
  ///     given, or eight for each pebble if that is more.
  /// - Returns: The scenarios.
  /// - Throws: `PondError` if the pond is defined wrongly; or if what the runs are of is nothing,
  ///   or no pebble of the pond.
  public func scenarios(
    only targets: [any PebbleIdentifying]? = nil, limit: Int? = nil
  ) throws(PondError) -> Scenarios {
    guard let targets else { return try model().scenarios(limit: limit) }
    return try model().checkedSubset(for: targets).scenarios(limit: limit)
  }
}

extension PondModel {
  /// Everything that can happen in runs of the pond.
  ///
  /// - Parameter limit: How many nodes the decision diagrams may have, at 40 bytes or so: a million
  ///   if not given, or eight for each pebble if that is more.
  /// - Returns: The scenarios.
  /// - Complexity: O(pebbles + atoms) conjunctions of diagrams in a pond without cycles, each
  ///   linear or nearly so for most ponds.
  public func scenarios(limit: Int? = nil) -> Scenarios {
    Scenarios(self, limit: limit ?? max(1_000_000, 8 * count))
  }
}
