public import Pebbles

/// The logic of a pond as a value: its pebbles with their conditions and limits, but without
/// bodies.
///
/// A model answers questions about a pond before it runs, such as which scenarios are possible,
/// what can never happen, and what is probably a mistake.
///
/// ```swift
/// let model = try pond.model()
/// print(model.lint())
/// ```
///
/// A model does not change when the pond changes, and does not retain the objects that bodies have
/// captured.
public struct PondModel: Sendable {
  package let pond: PondLogic

  package init(_ pond: PondLogic) {
    self.pond = pond
  }

  /// The pebbles' traits, other than conditions and bodies, keyed by position. A pebble without an
  /// entry has only default traits.
  package var properties: [UInt32: PebbleProperties] { pond.properties.pebbles }

  /// The limited resources, and how pebbles use them.
  package var limits: ResourceTable { pond.properties.limits }

  /// The failure policy of the pond. It determines whether a failure cancels the run. Failures also
  /// affect conditions, independently of the policy.
  package var failurePolicy: FailurePolicy.Name { pond.properties.failurePolicy }

  /// Whether failures affect a run only through conditions.
  package var ignoresFailures: Bool { failurePolicy == .ignore }

  /// Whether each pebble is known to have an output, in definition order; an empty array stands for
  /// all `false`.
  package var outputs: [Bool] = []

  /// The name of the pond.
  public var name: String { pond.graph.pondName }

  /// The number of pebbles.
  public var count: Int { pond.network.pebbleCount }

  /// The names of the pebbles, in definition order.
  ///
  /// - Complexity: O(pebbles).
  public var names: [String] { Array(pond.graph.names) }

  /// Returns the whole condition of the pebble at a zero-based position in definition order. The
  /// result combines the condition that the inputs imply with the condition from the definition.
  public func condition(at position: Int) -> Condition { pond.graph.condition(of: position) }

  /// The goal of every run; `nil` if the pond has no goal.
  public var goal: Condition? { pond.graph.goal }

  /// Returns the cases of the pebble at a zero-based position in definition order. The cases are in
  /// the order in which they were defined.
  public func cases(at position: Int) -> [PebbleCase] { pond.graph.cases[position]?.cases ?? [] }

  /// Returns whether the pebble at a position is known to have an output.
  package func hasKnownOutput(at position: Int) -> Bool {
    outputs.indices.contains(position) && outputs[position]
  }

  /// Returns the position of the pebble in definition order; `nil` if it was not part of the pond
  /// when this model was created.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func position(of pebble: some PebbleIdentifying) -> Int? {
    pond.graph.position(of: pebble)
  }

  package func position(of pebble: PebbleReference) -> Int? { pond.graph.position(of: pebble) }
}

extension Pond {
  /// Returns a model of the pond's current definition, that is, its logic without the bodies.
  ///
  /// - Throws: `PondError` if the pond is defined incorrectly.
  /// - Complexity: O(pebbles + atoms) after a change to the definition; otherwise, O(pebbles).
  public func model() throws(PondError) -> PondModel {
    let program = self.program()
    try program.pond.check()
    var model = PondModel(program.pond)
    model.outputs = program.knownOutputs
    return model
  }
}

extension PondModel {
  /// Returns a model that consists of the targets and the pebbles on which they depend, directly or
  /// indirectly. A pebble depends directly on every pebble that its condition or inputs mention,
  /// even in a negation. The model describes the logic of a run that is limited to the targets.
  ///
  /// ```swift
  /// print(try pond.model().subset(for: [web]).lint())
  /// ```
  ///
  /// The goal is included in the returned model if all pebbles that the goal mentions are included.
  /// Handles of the pond's pebbles can also be used with the returned model.
  ///
  /// - Parameter targets: The pebbles to run.
  /// - Returns: The model, with the pebbles in the same order.
  /// - Throws: `UnknownPebbleError` for the first pebble that is not in this model.
  /// - Complexity: O(pebbles + atoms).
  public func subset(
    for targets: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> PondModel {
    var positions = PebblePositions(pond.graph)
    return part(pond.subset(for: try positions.positions(of: targets)))
  }

  /// Returns the same model as `subset(for:)`, but the error names every target that is not in this
  /// model.
  func checkedSubset(for targets: [any PebbleIdentifying]) throws(PondError) -> PondModel {
    part(pond.subset(for: try pond.positions(of: targets)))
  }

  private func part(_ subset: Set<Int>) -> PondModel {
    var model = PondModel(pond.part(subset))
    model.outputs = subset.sorted().map { hasKnownOutput(at: $0) }
    return model
  }
}
