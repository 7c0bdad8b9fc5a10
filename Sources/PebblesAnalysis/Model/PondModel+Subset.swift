public import Pebbles

extension PondModel {
  /// Returns the model of only some pebbles: the targets, and all pebbles that their conditions and
  /// inputs mention, negated or not, directly or through others. A run of only these pebbles has
  /// this model.
  ///
  /// ```swift
  /// print(try pond.model().subset(for: [web]).lint())
  /// ```
  ///
  /// The goal is part of the model if the model has all pebbles that the goal mentions. Handles of
  /// the pond still refer to its pebbles.
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

  /// Returns the same model as `subset(for:)`. If targets are not in this model, the error names
  /// all of them.
  func checkedSubset(for targets: [any PebbleIdentifying]) throws(PondError) -> PondModel {
    part(pond.subset(for: try pond.positions(of: targets)))
  }

  private func part(_ subset: Set<Int>) -> PondModel {
    var model = PondModel(pond.part(subset))
    model.outputs = subset.sorted().map { hasKnownOutput(at: $0) }
    return model
  }
}
