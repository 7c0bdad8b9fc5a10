public import Pebbles

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
/// - A case of a pebble holds only if that is said: *failed as locked*.
/// - A pebble that is disabled takes no part, as if its `.enabled` had said so, whether it has one
///   or not. All others take part.
/// - What runs are given succeeds, with the cases that are said; that it fails is an error.
/// - A pebble that the pond does not have is an error.
///
/// Only a simulation is cancelled by the failure policy of the pond at the moment of a failure. The
/// others let all that can end do so before: a run goes on to its end, or, if the policy
/// `.cancelAll` cancels it, up to the next stall. They say so among their limitations if the policy
/// cancels it, or may.
public struct Assumption: Sendable {
  fileprivate enum Kind {
    case fails(error: String)
    case succeeds
    case disabled

    /// How its body ends, if that is called: "to …".
    var ending: String? {
      switch self {
      case .fails: "fail"
      case .succeeds: "succeed"
      case .disabled: nil
      }
    }
  }

  /// A case that is to hold.
  fileprivate enum Said {
    case one(PebbleCase)
    case condition(Condition)
  }

  fileprivate let pebble: PebbleID
  fileprivate let kind: Kind
  fileprivate var cases: [Said] = []

  /// The body of a pebble fails.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold of its error. Of those that are not said none does.
  ///   - error: What its error says.
  /// - Returns: The assumption.
  public static func fails(
    _ pebble: some PebbleIdentifying, as cases: PebbleCase..., error: String = ""
  ) -> Assumption {
    fails(pebble, as: cases, error: error)
  }

  /// The body of a pebble fails, with any number of cases.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold of its error.
  ///   - error: What its error says.
  /// - Returns: The assumption.
  public static func fails(
    _ pebble: some PebbleIdentifying, as cases: [PebbleCase], error: String = ""
  ) -> Assumption {
    Assumption(
      pebble: pebble.pebbleID, kind: .fails(error: error), cases: cases.map { .one($0) })
  }

  /// The body of a pebble fails, and a case holds of its error.
  ///
  /// ```swift
  /// let locked = database.failed("locked") { … }
  /// print(try pond.why(showUnlock, given: [.fails(database, as: locked)]))
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - condition: The condition that the case holds.
  ///   - error: What its error says.
  /// - Returns: The assumption.
  public static func fails(
    _ pebble: some PebbleIdentifying, as condition: Condition, error: String = ""
  ) -> Assumption {
    Assumption(
      pebble: pebble.pebbleID, kind: .fails(error: error), cases: [.condition(condition)])
  }

  /// The body of a pebble succeeds, and cases hold of its output.
  ///
  /// Of those that are not said none does. Where conditions tell the values of an output apart and
  /// there are no others, its value has to be said.
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

  /// The body of a pebble succeeds, with any number of cases.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cases: The cases that hold.
  /// - Returns: The assumption.
  public static func succeeds(
    _ pebble: some PebbleIdentifying, as cases: [PebbleCase]
  ) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .succeeds, cases: cases.map { .one($0) })
  }

  /// The body of a pebble succeeds, and a case holds of its output.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - condition: The condition that the case holds.
  /// - Returns: The assumption.
  public static func succeeds(
    _ pebble: some PebbleIdentifying, as condition: Condition
  ) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .succeeds, cases: [.condition(condition)])
  }

  /// The body of a pebble succeeds with a value.
  ///
  /// ```swift
  /// print(try pond.why(won, given: [.succeeds(flip, as: .tails)]))
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - value: Its output: one that prints as one of which `is(_:)` was asked.
  /// - Returns: The assumption.
  public static func succeeds<Output: Equatable>(
    _ pebble: Pebble<Output>, as value: Output
  ) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .succeeds, cases: [.one(.is("\(value)"))])
  }

  /// A pebble takes no part in the run.
  ///
  /// - Parameter pebble: The pebble.
  /// - Returns: The assumption.
  public static func disabled(_ pebble: some PebbleIdentifying) -> Assumption {
    Assumption(pebble: pebble.pebbleID, kind: .disabled)
  }
}

// MARK: What it means for a pond

/// What a run is assumed to be like cannot be: it is about a case that a pebble does not have, does
/// not say which value an output has, or lets fail what runs are given.
public struct AssumptionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// What is wrong, as a sentence.
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
          description: "\(pond.graph.names[position].shortName) cannot be taken to fail: it is "
            + "given to each run")
      }
      plan.failures[position] = error
    case .succeeds: break
    case .disabled: plan.disabled.insert(position)
    }
    guard !held.isEmpty else { return }
    let isFailing = plan.failures[position] != nil
    do throws(ImpossibleCase) {
      plan.cases[position] = try list.set(of: held, succeeded: !isFailing)
    } catch {
      throw AssumptionError(
        pebble: pond.graph.names[position],
        description: "\(pond.graph.names[position].shortName) cannot be taken to end "
          + error.clause)
    }
  }
}

extension Assumption.Said {
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
          description: "\(condition.description.truncated(to: 80)) is no case of "
            + name.shortName)
      }
      return list.cases[place]
    }
  }
}

extension SimulationPlan {
  /// What is assumed, as a plan.
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
              description: "\(name.shortName) cannot be taken both to \(otherWord) and to \(word)")
          }
          all.cases = other.cases + all.cases
        }
        known[position] = all
      }
      try all.apply(to: &self, position, in: pond)
    }
  }

  /// Makes sure that it is said which value each output has, of those whose values conditions tell
  /// apart.
  ///
  /// - Throws: `AssumptionError` for the first that has succeeded, and of which it was not said.
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
        description: "\(name.shortName) succeeds, and others depend on its value: say which it is, "
          + "such as \(all.joined(separator: ", "))")
    }
  }
}

/// A run that is only assumed, simulated.
struct AssumedRun {
  let replay: Replay
  let limitations: [ScenarioLimitation]
}

extension PondModel {
  /// Simulates the pond without its bodies, which take no time.
  func assumed(_ assumptions: [Assumption]) throws -> AssumedRun {
    let plan = try SimulationPlan(assumptions, of: pond)
    var replay = Simulator.replay(self, plan)
    if let cutOff = cutOff(plan, replay) { replay = Simulator.replay(self, cutOff) }
    try plan.checkValues(replay.state, of: pond)
    var limitations: [ScenarioLimitation] = []
    if isCancelledByPolicy(replay) != false { limitations.append(.failurePolicy) }
    return AssumedRun(replay: replay, limitations: limitations)
  }

  /// The same, with what a failure cancels that comes before a stall; `nil` if nothing is.
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

  /// Whether a run that went on to its end is one that the failure policy of the pond cancels;
  /// `nil` if that is unknown.
  private func isCancelledByPolicy(_ replay: Replay) -> Bool? {
    let failed = replay.run.pebbles.indices.filter {
      replay.run.pebbles[$0].outcome.event == .failed
    }
    switch failurePolicy {
    case .ignore: return false
    case .custom: return failed.isEmpty ? false : nil
    case .cancelAll:
      var handlers = FailureHandlers(pond.network)
      return failed.contains {
        handlers.handling(ofFailure: $0, in: replay.state) != .handled
      }
    }
  }
}
