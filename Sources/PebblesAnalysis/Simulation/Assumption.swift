public import Pebbles

/// An assumption about a run that has not taken place.
///
/// ```swift
/// print(try pond.why(refresh, given: [.fails(ping), .disabled(beta)]))
/// ```
///
/// Assumptions have the same meaning in `why(_:given:)`, in
/// ``Scenarios/ending(failing:disabling:)`` and in `simulate(failing:disabling:)` of
/// `PebblesTesting`:
///
/// - A body that is assumed to fail does so in every attempt, if it is called. All other bodies
///   succeed.
/// - A case of a pebble holds only if an assumption names it, as in *failed as locked*.
/// - A disabled pebble takes no part in the run, as if it had an `.enabled` condition that is
///   false. All other pebbles take part.
/// - A pebble whose output is given to each run succeeds unless it is disabled, and has the cases
///   that assumptions name. An assumption that it fails is an error.
/// - An assumption about a pebble that the pond does not have is an error.
///
/// Only `simulate` applies the failure policy of the pond at the moment of a failure. In the other
/// two functions, a failure cancels the run only after all bodies that can end have ended. A run
/// therefore continues to its end, except that an unhandled failure under the policy `.cancelAll`
/// cancels the run before the next stall. If the policy cancels the run, or might cancel it, the
/// limitations of the result include the policy.
public struct Assumption: Sendable {
  fileprivate enum Kind {
    case fails(error: String)
    case succeeds
    case disabled
    case notAskedFor

    /// A verb for the assumed outcome of the body, such as `fail`; `nil` if nothing is assumed
    /// about the body.
    var ending: String? {
      switch self {
      case .fails: "fail"
      case .succeeds: "succeed"
      case .disabled, .notAskedFor: nil
      }
    }
  }

  /// A case that is assumed to hold, given as the case itself or as a condition that tests the
  /// case.
  fileprivate enum AssumedCase {
    case one(PebbleCase)
    case condition(Condition)
  }

  fileprivate let pebble: PebbleID
  fileprivate var kind: Kind
  fileprivate var cases: [AssumedCase] = []

  /// Returns the assumption that the body of a pebble fails.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold for the error. No other case holds.
  ///   - error: The message of the error.
  /// - Returns: The assumption.
  public static func fails(
    _ pebble: some PebbleIdentifying, as cases: PebbleCase..., error: String = ""
  ) -> Assumption {
    fails(pebble, as: cases, error: error)
  }

  /// Returns the assumption that the body of a pebble fails. The cases are given as an array.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold for the error. No other case holds.
  ///   - error: The message of the error.
  /// - Returns: The assumption.
  public static func fails(
    _ pebble: some PebbleIdentifying, as cases: [PebbleCase], error: String = ""
  ) -> Assumption {
    Assumption(
      pebble: pebble.pebbleID, kind: .fails(error: error), cases: cases.map { .one($0) })
  }

  /// Returns the assumption that the body of a pebble fails and that a case holds for its error.
  ///
  /// ```swift
  /// let locked = database.failed("locked") { … }
  /// print(try pond.why(showUnlock, given: [.fails(database, as: locked)]))
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - condition: The condition that tests the case.
  ///   - error: The message of the error.
  /// - Returns: The assumption.
  public static func fails(
    _ pebble: some PebbleIdentifying, as condition: Condition, error: String = ""
  ) -> Assumption {
    Assumption(
      pebble: pebble.pebbleID, kind: .fails(error: error), cases: [.condition(condition)])
  }

  /// Returns the assumption that the body of a pebble succeeds and that cases hold for its output.
  ///
  /// No other case holds. If conditions list all values of the output, and a pebble or the goal
  /// depends on one of these values, the assumption must name one of them.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold.
  /// - Returns: The assumption.
  public static func succeeds(
    _ pebble: some PebbleIdentifying, as cases: PebbleCase...
  ) -> Assumption {
    succeeds(pebble, as: cases)
  }

  /// Returns the assumption that the body of a pebble succeeds. The cases are given as an array.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold. No other case holds.
  /// - Returns: The assumption.
  public static func succeeds(
    _ pebble: some PebbleIdentifying, as cases: [PebbleCase]
  ) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .succeeds, cases: cases.map { .one($0) })
  }

  /// Returns the assumption that the body of a pebble succeeds and that a case holds for its
  /// output.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - condition: The condition that tests the case.
  /// - Returns: The assumption.
  public static func succeeds(
    _ pebble: some PebbleIdentifying, as condition: Condition
  ) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .succeeds, cases: [.condition(condition)])
  }

  /// Returns the assumption that the body of a pebble succeeds with a value.
  ///
  /// ```swift
  /// print(try pond.why(won, given: [.succeeds(flip, as: .tails)]))
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - value: The output of the pebble. It must have the same description as one of the values
  ///     that conditions compare with `is(_:)`.
  /// - Returns: The assumption.
  public static func succeeds<Output: Equatable>(
    _ pebble: Pebble<Output>, as value: Output
  ) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .succeeds, cases: [.one(.is("\(value)"))])
  }

  /// Returns the assumption that a pebble is disabled and takes no part in the run.
  ///
  /// - Parameter pebble: The pebble.
  /// - Returns: The assumption.
  public static func disabled(_ pebble: some PebbleIdentifying) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .disabled)
  }

  /// Returns the assumption that a pebble is not part of the run, because the run is limited to
  /// other pebbles.
  ///
  /// - Parameter pebble: The pebble.
  /// - Returns: The assumption.
  package static func notAskedFor(_ pebble: some PebbleIdentifying) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .notAskedFor)
  }
}

// MARK: Applying assumptions to a pond

/// An error thrown for an impossible assumption. Examples are an assumption that contradicts
/// another one, an assumption that lacks a required output value, a case that the pebble does not
/// have, and a failure of a pebble whose output is given to each run.
public struct AssumptionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// The problem, as a sentence.
  public let description: String
}

extension Assumption {
  fileprivate func apply(
    to plan: inout SimulationPlan, _ position: Int, in pond: PondLogic
  ) throws {
    let list = pond.graph.cases[position] ?? CaseList()
    let held = try cases.map { try $0.named(of: position, in: pond) }
    switch kind {
    case .fails(let error):
      guard pond.properties.pebbles[UInt32(position)]?.isGiven != true else {
        throw AssumptionError(
          pebble: pond.graph.names[position],
          description: "\(pond.graph.names[position].shortName) cannot be assumed to fail: it is "
            + "given to each run")
      }
      plan.failures[position] = error
    case .succeeds: break
    case .disabled: plan.disabled.insert(position)
    case .notAskedFor: plan.notAskedFor.insert(position)
    }
    guard !held.isEmpty else { return }
    let isFailing = plan.failures[position] != nil
    do throws(ImpossibleCase) {
      plan.cases[position] = try list.set(of: held, succeeded: !isFailing)
    } catch {
      throw AssumptionError(
        pebble: pond.graph.names[position],
        description: "\(pond.graph.names[position].shortName) cannot be assumed to end "
          + error.clause)
    }
  }
}

extension Assumption.AssumedCase {
  fileprivate func named(of position: Int, in pond: PondLogic) throws -> PebbleCase {
    switch self {
    case .one(let one): return one
    case .condition(let condition):
      let name = pond.graph.names[position]
      guard case .atom(let atom) = condition.expression, let place = atom.casePlace,
        !atom.isNegatedCase, pond.graph.position(of: atom.pebble) == position,
        let list = pond.graph.cases[position], place < list.cases.count
      else {
        throw AssumptionError(
          pebble: name,
          description: "\(condition.description.truncated(to: 80)) is not a case of "
            + name.shortName)
      }
      return list.cases[place]
    }
  }
}

extension SimulationPlan {
  /// Creates a plan for a run under assumptions.
  ///
  /// - Throws: `AssumptionError` if the assumptions are impossible, and `UnknownPebbleError` if an
  ///   assumption names a pebble that is not in the pond.
  package init(_ assumptions: [Assumption], of pond: PondLogic) throws {
    self.init()
    var positions = PebblePositions(pond.graph)
    var known: [Int: Assumption] = [:]
    for assumption in assumptions {
      let position = try positions.position(of: assumption.pebble)
      var all = assumption
      if let word = assumption.kind.ending {
        if let other = known[position], let otherWord = other.kind.ending {
          guard otherWord == word else {
            let name = pond.graph.names[position]
            throw AssumptionError(
              pebble: name,
              description:
                "\(name.shortName) cannot be assumed both to \(otherWord) and to \(word)")
          }
          all.cases = other.cases + all.cases
          if case .fails(error: "") = all.kind { all.kind = other.kind }
        }
        known[position] = all
      }
      try all.apply(to: &self, position, in: pond)
    }
  }

  /// Checks that a value is assumed for every output that needs one. The output of a succeeded
  /// pebble needs a value if conditions list all values of the output, and a pebble or the goal
  /// depends on one of these values.
  ///
  /// - Throws: `AssumptionError` for the first pebble whose output lacks a value.
  package func checkValues(_ state: ReadinessState, of pond: PondLogic) throws(AssumptionError) {
    for (pebble, list) in pond.graph.cases.sorted(by: { $0.key < $1.key })
    where list.isExhaustive && state.status(of: pebble) == .succeeded {
      let rows = pond.network.cases.rows(of: pebble)
      let values = list.cases.indices.filter { list.cases[$0].isValue }
      guard values.contains(where: { pond.network.isMentioned(rows.lowerBound + $0) }),
        !values.contains(where: cases(of: pebble).contains(place:))
      else { continue }
      let name = pond.graph.names[pebble]
      let all = values.prefix(4).map { "\(list.cases[$0])".truncated(to: 60) }
      throw AssumptionError(
        pebble: name,
        description: "\(name.shortName) succeeds, and others depend on its value: name the value, "
          + "such as \(all.joined(separator: ", "))")
    }
  }
}

extension PondModel {
  /// Simulates a run under assumptions. No body is called, and simulated bodies take no time.
  func assumed(_ assumptions: [Assumption]) throws -> Replay {
    let plan = try SimulationPlan(assumptions, of: pond)
    var replay = Simulator.replay(self, plan)
    if let cutOff = cutOff(plan, replay) { replay = Simulator.replay(self, cutOff) }
    try plan.checkValues(replay.state, of: pond)
    return replay
  }

  /// Returns a copy of `plan` that also cancels the pebbles that the failure policy would cancel
  /// before they stall; `nil` if there are no such pebbles.
  private func cutOff(_ plan: SimulationPlan, _ replay: Replay) -> SimulationPlan? {
    let statuses = (0..<count).map(replay.state.status)
    guard failurePolicy == .cancelAll, statuses.contains(.failed),
      statuses.contains(.skippedByStall)
    else { return nil }
    let cases = pond.network.cases
    var simulation = CutOffSimulation(
      self, asking: mentionedCases, knowing: plan.knownOutcomes(of: self))
    simulation.run { variable in
      switch variable {
      case .body(let pebble): plan.failures[pebble] == nil
      case .case(let row): plan.cases(of: cases[row].pebble).contains(place: cases[row].place)
      case .activation, .caught, .late: variable.usual
      }
    }
    let status = simulation.state.status(of:)
    let cancelled = (0..<count).filter { status($0) == .skippedByCancellation }
    var handlers = FailureHandlers(pond.network)
    let cause = (0..<count).first {
      status($0) == .failed
        && handlers.handling(ofFailure: $0, in: simulation.state) != .handled
    }
    guard !cancelled.isEmpty, let cause else { return nil }
    var cutOff = plan
    cutOff.cancelled = Set(cancelled)
    cutOff.cancellation = RecordedCancellation(
      "\(pond.graph.names[cause].swiftName) failed", isOrderly: false)
    return cutOff
  }
}
