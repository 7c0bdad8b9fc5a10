import Pebbles

/// Everything that can happen in runs of a pond: all the ways in which bodies can succeed or fail,
/// and the consequences of each.
///
/// ```swift
/// let scenarios = try pond.scenarios()
/// scenarios.count                                        // how many endings there are
/// scenarios.neverRun                                     // pebbles that cannot run
/// try scenarios.smallestFailures(leadingTo: home.skipped)  // failures that skip home
/// try scenarios.ending(failing: [ping])                  // how everything else ends
/// ```
///
/// The runs have no deadline, and only a failure can cancel them. No pebble is skipped because it
/// waits for a resource that is not released, or for a service that stays down; see
/// `SkipReason.resourceHeld(by:)`. A body fails if its last attempt fails. A service succeeds when
/// it becomes ready. Bodies are independent of each other: each may succeed or fail, however the
/// others end. ``limitations`` lists further facts that the answers do not take into account.
///
/// Under the policy `.cancelAll`, a failure that no pebble handles cancels a run. The timing of the
/// failure determines which pebbles have not started by then. A condition therefore counts as
/// always true (or never true) only if it is true (or false) regardless of when the failure
/// happens. In ``endings``, the failure comes last. However, a stall is settled only when nothing
/// is running, so even the last failure comes before the next stall, unless the failure itself
/// depends on that stall. Pebbles that would have started because of the stall are then cancelled.
///
/// The effect of a `.custom` policy is not known. Under such a policy, a condition counts as always
/// true or never true only if runs that end early cannot be exceptions, and no law counts as kept.
///
/// The outcome of each pebble is a binary decision diagram over the outcomes of the bodies (Bryant,
/// 1986), so all scenarios are examined together, not one by one. The size of such a diagram is
/// exponential in the worst case, and is therefore limited. Pebbles whose diagrams do not fit are
/// ``unknown``; all answers about other pebbles remain exact.
public struct Scenarios: Sendable {
  /// The logic of the pond.
  package let model: PondModel

  /// Facts that the answers do not take into account.
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

  /// Whether all answers apply without restriction to the runs described above. This is `false` if
  /// the failure policy is a closure, if the outcome of a pebble is unknown, or if it is unknown
  /// which pebbles a failure cancels before a stall. Even if this is `true`, an answer may be `nil`
  /// because the diagram for the question would be too large.
  public var isExact: Bool { limitations.isEmpty }

  /// The names of the pebbles that run in every scenario, in definition order. As in `Report.ran`,
  /// a pebble whose output is given to the run counts as well.
  public var alwaysRun: [String] { names { $0 == .always } }

  /// The names of the pebbles that never run, in definition order.
  public var neverRun: [String] { names { $0 == .never } }

  /// The names of the pebbles that run in some scenarios but not in all, in definition order.
  public var sometimesRun: [String] { names { $0 == .sometimes } }

  /// The names of the pebbles for which ``runs(_:)`` returns `nil`, in definition order. Either the
  /// diagrams would be too large, or it is not known which runs the failure policy cancels.
  public var unknown: [String] { names { $0 == nil } }

  private func names(where isIncluded: (Occurrence?) -> Bool) -> [String] {
    (0..<model.count).filter { isIncluded(runs(at: $0)) }.map { model.pond.graph.names[$0] }
  }

  /// Returns how often a pebble runs; `nil` if that is unknown, or if the pebble is not part of the
  /// model.
  public func runs(_ pebble: some PebbleIdentifying) -> Occurrence? {
    model.position(of: pebble).flatMap(runs)
  }

  private func runs(at position: Int) -> Occurrence? {
    guard let pebble = diagrams.pebbles[position] else { return nil }
    if diagrams.areStallsCutOff {
      return occurrenceOfAll(where: model.completion(of: position))
    }
    let occurrence = Occurrence(pebble.ran)
    // A run that ends early starts no additional pebbles, so only the answer `.always` may be
    // wrong.
    guard occurrence == .always, !model.ignoresFailures else { return occurrence }
    let known = diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) in
      let exception = try scenarios.isCaught(position)
      return scenarios.occurrence(.always, unless: exception)
    }
    return known ?? nil
  }

  /// Returns how often a condition is true at the end of a run, when every pebble has settled.
  ///
  /// - Returns: The frequency; `nil` if it is unknown.
  /// - Throws: `UnknownPebbleError` if the condition mentions a pebble, or a case, that the model
  ///   does not have.
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

  /// The names of the pebbles whose failures are unhandled in some ending, in definition order;
  /// `nil` if they are unknown. See `Report.unhandledFailures`.
  ///
  /// - Complexity: O(pebbles + atoms) conjunctions of diagrams.
  public var unhandledFailures: [String]? {
    let names = model.pond.graph.names
    return diagrams.ask { run throws(DiagramLimitReached) in
      let unhandled = try run.unhandledFailures(run.progressInTheEnd())
      return unhandled.indices.filter { unhandled[$0] != .never }.map { names[$0] }
    }
  }

  /// Returns how often a condition is true across all runs, cancelled or not.
  private func occurrenceOfAll(where condition: Condition) -> Occurrence? {
    diagrams.askAboutCancelled { scenarios throws(DiagramLimitReached) in
      try scenarios.occurrence(of: condition)
    } ?? nil
  }

  /// The number of endings; `nil` if it is unknown.
  ///
  /// Two endings differ if a pebble has different outcomes in them, or if a case mentioned in a
  /// condition holds in only one of them. As in ``endings``, a failure that cancels the run comes
  /// only after all bodies that can end have ended. If the number is 2¹²⁸ or more, the value is
  /// `UInt128.max`.
  ///
  /// - Complexity: A conjunction of diagrams over all pebbles on first use; O(1) afterwards.
  public var count: UInt128? { largeCount?.saturated }

  /// The number of endings, even if it exceeds `UInt128`; `nil` if it is unknown.
  package var largeCount: LargeCount? { diagrams.endingCount }

  /// A sequence of all endings. The endings are found without diagrams, so they are exact even if
  /// diagrams would be too large.
  public var endings: Endings { Endings(model: model) }
}

/// The frequency with which something happens across all scenarios: always, sometimes or never.
public enum Occurrence: Sendable, Hashable {
  /// An occurrence in every scenario.
  case always
  /// An occurrence in some scenarios, but not in all.
  case sometimes
  /// An occurrence in no scenario.
  case never

  init(_ function: BooleanFunction) {
    self = function == .always ? .always : function == .never ? .never : .sometimes
  }
}

extension Pond {
  /// Returns the scenarios of the pond as it is defined now.
  ///
  /// - Parameters:
  ///   - targets: The pebbles to run, together with everything that they need, as in
  ///     `Pond.run(only:)`; all pebbles if `nil`. Other pebbles are not part of the scenarios.
  ///   - limit: The maximum number of nodes in the decision diagrams. Each node takes about 40
  ///     bytes. The default is a million nodes or eight nodes for each pebble, whichever is more.
  /// - Returns: The scenarios.
  /// - Throws: `PondError` if the pond is defined incorrectly, or if the targets are empty or
  ///   include something that is not a pebble of the pond.
  public func scenarios(
    only targets: [any PebbleIdentifying]? = nil, limit: Int? = nil
  ) throws(PondError) -> Scenarios {
    guard let targets else { return try model().scenarios(limit: limit) }
    return try model().checkedSubset(for: targets).scenarios(limit: limit)
  }
}

extension PondModel {
  /// Returns the scenarios of the pond.
  ///
  /// - Parameter limit: The maximum number of nodes in the decision diagrams. Each node takes about
  ///   40 bytes. The default is a million nodes or eight nodes for each pebble, whichever is more.
  /// - Returns: The scenarios.
  /// - Complexity: A pond without cycles requires O(pebbles + atoms) conjunctions of diagrams. For
  ///   most ponds, the time for each conjunction is linear or almost linear.
  public func scenarios(limit: Int? = nil) -> Scenarios {
    Scenarios(self, limit: limit ?? max(1_000_000, 8 * count))
  }
}
