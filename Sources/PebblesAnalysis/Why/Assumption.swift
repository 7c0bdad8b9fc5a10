import Pebbles

/// What a run is assumed to be like that has not taken place.
///
/// ```swift
/// print(try pond.why(refresh, given: [.fails(ping), .disabled(beta)]))
/// ```
///
/// What is assumed means the same in `why(_:given:)`, in ``Scenarios/ending(failing:disabling:)``
/// and in `simulate(failing:disabling:)` of `PebblesTesting`:
///
/// - A body that is to fail does so in every attempt, if it is called. All others succeed.
/// - A pebble that is disabled takes no part, as if its `enabled:` had said so, whether it has one
///   or not. All others take part.
/// - Predicates are asked, at the start and whenever something that they read settles. There are no
///   outputs for them to look at. Those of a model that was read from a file never hold.
/// - A pebble that the pond does not have is an error.
///
/// Only a simulation goes by the failure policy of the pond. The others let every run go on to its
/// end, and say so among their limitations if a body fails.
public struct Assumption: Sendable, Hashable {
  private enum Kind: Hashable {
    case fails(error: String)
    case disabled
  }

  private let pebble: PebbleID
  private let kind: Kind

  /// The body of a pebble fails.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - error: What its error says.
  /// - Returns: The assumption.
  public static func fails(_ pebble: some PebbleIdentifying, error: String = "") -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .fails(error: error))
  }

  /// A pebble takes no part in the run.
  ///
  /// - Parameter pebble: The pebble.
  /// - Returns: The assumption.
  public static func disabled(_ pebble: some PebbleIdentifying) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .disabled)
  }

  fileprivate func apply(
    to plan: inout SimulationPlan, _ positions: inout PebblePositions
  ) throws(UnknownPebbleError) {
    let position = try positions.position(of: pebble)
    switch kind {
    case .fails(let error): plan.failures[position] = error
    case .disabled: plan.disabled.insert(position)
    }
  }
}

/// A run that is only assumed, played.
struct AssumedRun {
  let replay: Replay
  let limitations: [ScenarioLimitation]
}

extension PondModel {
  /// Plays the pond without its bodies, which take no time.
  func assumed(_ assumptions: [Assumption]) throws(UnknownPebbleError) -> AssumedRun {
    var plan = SimulationPlan()
    plan.predicateHolds = { $0.holds }
    var positions = PebblePositions(pond.graph)
    for assumption in assumptions { try assumption.apply(to: &plan, &positions) }
    let replay = Simulator.replay(self, plan)
    var limitations: [ScenarioLimitation] = []
    let predicates = pond.network.predicateCount
    if predicates > 0 {
      limitations.append(
        knowsPredicates
          ? .noOutputs(predicates: predicates) : .unknownPredicates(count: predicates))
    }
    let isAnyFailing = replay.run.pebbles.contains { $0.outcome.kind == .failed }
    if !ignoresFailures, isAnyFailing { limitations.append(.failurePolicy) }
    return AssumedRun(replay: replay, limitations: limitations)
  }

  /// Why a pebble would end as it does in a run that is assumed to be like this.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - assumptions: Which bodies fail, and which pebbles are disabled; see ``Assumption``.
  /// - Returns: The pebbles behind it.
  /// - Throws: `UnknownPebbleError`.
  /// - Complexity: As a run without bodies, O(pebbles + atoms + *n* log *n*) for *n* pebbles.
  public func why(
    _ pebble: some PebbleIdentifying, given assumptions: [Assumption] = []
  ) throws(UnknownPebbleError) -> Why {
    var positions = PebblePositions(pond.graph)
    let position = try positions.position(of: pebble)
    let assumed = try assumed(assumptions)
    var builder = WhyBuilder(assumed.replay, subject: position)
    var why = builder.why()
    why.limitations = assumed.limitations
    return why
  }
}

extension Pond {
  /// Why a pebble would end as it does in a run that is assumed to be like this.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - assumptions: Which bodies fail, and which pebbles are disabled; see ``Assumption``.
  /// - Returns: The pebbles behind it.
  /// - Throws: `UnknownPebbleError`, and `PondError` if the pond is defined wrongly.
  /// - Complexity: As a run without bodies, O(pebbles + atoms + *n* log *n*) for *n* pebbles.
  public func why(
    _ pebble: some PebbleIdentifying, given assumptions: [Assumption] = []
  ) throws -> Why {
    try model().why(pebble, given: assumptions)
  }
}
