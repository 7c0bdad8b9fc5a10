public import Pebbles

/// The logic of a pond as a value: its pebbles, their conditions and limits, without their bodies.
///
/// All that can be said of a pond before it runs, in any of its runs, is said of its model: which
/// scenarios there are, what can never happen, what looks like a mistake.
///
/// ```swift
/// let model = try pond.model()
/// print(model.lint())
/// ```
///
/// A model does not change when the pond does, and keeps nothing alive that bodies have captured.
public struct PondModel: Sendable {
  package let pond: PondLogic

  package init(_ pond: PondLogic) {
    self.pond = pond
  }

  /// What pebbles were given beyond condition and body; those that are not in here, nothing.
  package var properties: [UInt32: PebbleProperties] { pond.properties.pebbles }

  /// What pebbles use of limited resources.
  package var limits: ResourceTable { pond.properties.limits }

  /// What a failure means for the rest of the run, beyond what conditions say.
  package var failurePolicy: FailurePolicy.Name { pond.properties.failurePolicy }

  /// Whether conditions alone decide that.
  package var ignoresFailures: Bool { failurePolicy == .ignore }

  /// Whether each pebble is known to have an output; empty if that is not known of any. Of those
  /// that take inputs it never is.
  package var outputs: [Bool] = []

  /// The name of the pond.
  public var name: String { pond.graph.pondName }

  /// How many pebbles there are.
  public var count: Int { pond.network.pebbleCount }

  /// The names of the pebbles, in definition order.
  ///
  /// - Complexity: O(pebbles).
  public var names: [String] { Array(pond.graph.names) }

  /// The whole condition of the pebble at a position in definition order, from 0: what its inputs
  /// imply and what it was given.
  public func condition(at position: Int) -> Condition { pond.graph.condition(of: position) }

  /// What a run is for; `nil` if nothing was said.
  public var goal: Condition? { pond.graph.goal }

  /// The cases of the pebble at a position in definition order, from 0, in the order in which they
  /// were defined.
  public func cases(at position: Int) -> [PebbleCase] { pond.graph.cases[position]?.cases ?? [] }

  /// Whether the pebble at a position is known to have an output.
  package func hasKnownOutput(at position: Int) -> Bool {
    outputs.indices.contains(position) && outputs[position]
  }

  /// Where the pebble stands in definition order; `nil` if it was not part of the pond when this
  /// model was made.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func position(of pebble: some PebbleIdentifying) -> Int? {
    pond.graph.position(of: pebble)
  }

  package func position(of pebble: PebbleReference) -> Int? { pond.graph.position(of: pebble) }
}
