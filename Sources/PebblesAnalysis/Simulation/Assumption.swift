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
/// - A pebble that is disabled takes no part, as if its `.enabled` had said so, whether it has one
///   or not. All others take part.
/// - A pebble that the pond does not have is an error.
///
/// Only a simulation is cancelled by the failure policy of the pond at the moment of a failure. The
/// others let all that can end do so before: a run goes on to its end, or, if the policy
/// `.cancelAll` cancels it, up to the next stall. They say so among their limitations if the policy
/// cancels it, or may.
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

/// A run that is only assumed, simulated.
struct AssumedRun {
  let replay: Replay
  let limitations: [ScenarioLimitation]
}

extension PondModel {
  /// Simulates the pond without its bodies, which take no time.
  func assumed(_ assumptions: [Assumption]) throws(UnknownPebbleError) -> AssumedRun {
    var plan = SimulationPlan()
    var positions = PebblePositions(pond.graph)
    for assumption in assumptions { try assumption.apply(to: &plan, &positions) }
    var replay = Simulator.replay(self, plan)
    if let cutOff = cutOff(plan, replay) { replay = Simulator.replay(self, cutOff) }
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
    var simulation = CutOffSimulation(self, asking: mentionedCases)
    simulation.begin(disabling: plan.disabled.sorted().map(UInt32.init))
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
        && handlers.handling(ofFailure: $0, in: simulation.state) != .certain
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
        handlers.handling(ofFailure: $0, in: replay.state) != .certain
      }
    }
  }
}
