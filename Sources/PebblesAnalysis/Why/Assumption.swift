import Pebbles

/// What a run is assumed to be like that has not taken place: bodies that fail, pebbles that are
/// disabled. All other bodies succeed.
///
/// ```swift
/// print(try pond.why(refresh, given: [.fails(ping), .disabled(beta)]))
/// ```
public struct Assumption: Sendable {
  private let kind: Kind

  private enum Kind {
    case fails(error: String)
    case disabled
  }

  private enum Subject {
    case reference(PebbleReference)
    case name(String)
  }

  private let subject: Subject

  /// The body of a pebble fails.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - error: What its error says.
  /// - Returns: The assumption.
  public static func fails<Output>(_ pebble: Pebble<Output>, error: String = "") -> Assumption {
    Assumption(kind: .fails(error: error), subject: .reference(pebble.reference))
  }

  /// The body of the pebble of a name fails.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble.
  ///   - error: What its error says.
  /// - Returns: The assumption.
  public static func fails(_ name: String, error: String = "") -> Assumption {
    Assumption(kind: .fails(error: error), subject: .name(name))
  }

  /// A pebble takes no part in the run.
  ///
  /// - Parameter pebble: The pebble.
  /// - Returns: The assumption.
  public static func disabled<Output>(_ pebble: Pebble<Output>) -> Assumption {
    Assumption(kind: .disabled, subject: .reference(pebble.reference))
  }

  /// The pebble of a name takes no part in the run.
  ///
  /// - Parameter name: The name of the pebble.
  /// - Returns: The assumption.
  public static func disabled(_ name: String) -> Assumption {
    Assumption(kind: .disabled, subject: .name(name))
  }
}

extension PondModel {
  /// Plays the pond without its bodies: those succeed, but for what is assumed, and take no time.
  /// No predicate holds. Assumptions about pebbles that the pond does not have are ignored.
  package func simulated(given assumptions: [Assumption]) -> RecordedRun {
    var plan = SimulationPlan()
    for assumption in assumptions { assumption.apply(to: &plan, of: self) }
    return Simulator(self, plan).run()
  }
}

extension Assumption {
  fileprivate func apply(to plan: inout SimulationPlan, of model: PondModel) {
    let position =
      switch subject {
      case .reference(let reference): model.position(of: reference)
      case .name(let name): model.pond.graph.names.firstIndex(of: name)
      }
    guard let position else { return }
    switch kind {
    case .fails(let error): plan.failures[position] = error
    case .disabled: plan.disabled.insert(position)
    }
  }
}

extension PondModel {
  /// Why a pebble would end as it does in a run that is assumed to be like this; `nil` if there is
  /// no pebble of this name.
  ///
  /// - Parameters:
  ///   - name: The name of the pebble.
  ///   - assumptions: Which bodies fail, and which pebbles are disabled; all other bodies succeed.
  ///     Those about pebbles that the pond does not have are ignored. No predicate holds.
  /// - Returns: The pebbles behind it.
  /// - Complexity: As a run without bodies, O(pebbles + atoms + *n* log *n*) for *n* pebbles.
  public func why(_ name: String, given assumptions: [Assumption] = []) -> Why? {
    guard let position = pond.graph.names.firstIndex(of: name) else { return nil }
    return why(at: position, given: assumptions)
  }

  fileprivate func why(at position: Int, given assumptions: [Assumption]) -> Why? {
    let run = simulated(given: assumptions)
    do {
      return try run.why(at: position)
    } catch {
      preconditionFailure("a simulated run contradicts its own pond: \(error)")
    }
  }
}

extension Pond {
  /// Why a pebble would end as it does in a run that is assumed to be like this.
  ///
  /// - Parameters:
  ///   - pebble: The pebble; if the pond does not have it, that is said.
  ///   - assumptions: Which bodies fail, and which pebbles are disabled; all other bodies succeed.
  ///     Those about pebbles that the pond does not have are ignored. No predicate holds.
  /// - Returns: The pebbles behind it.
  /// - Throws: `PondError` if the pond is defined wrongly.
  /// - Complexity: As a run without bodies, O(pebbles + atoms + *n* log *n*) for *n* pebbles.
  public func why<Output>(
    _ pebble: Pebble<Output>, given assumptions: [Assumption] = []
  ) throws(PondError) -> Why {
    let model = try model()
    let name = pebble.reference.name
    return model.position(of: pebble).flatMap { model.why(at: $0, given: assumptions) }
      ?? .notInRun(name)
  }
}
