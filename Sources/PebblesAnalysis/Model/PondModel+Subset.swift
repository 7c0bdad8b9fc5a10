public import Pebbles

extension PondModel {
  /// The model of some pebbles alone: these, and all that their conditions and their inputs
  /// mention, negated or not, and so on. It is what a run is about that is of them only.
  ///
  /// ```swift
  /// print(try pond.model().subset(for: [web]).lint())
  /// ```
  ///
  /// The goal is part of it if all that it mentions is. Handles of the pond mean its pebbles.
  ///
  /// - Parameter targets: What is asked for.
  /// - Returns: The model, in which the pebbles stand in the same order.
  /// - Throws: `UnknownPebbleError` for the first that is not in this one.
  /// - Complexity: O(pebbles + atoms).
  public func subset(
    for targets: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> PondModel {
    var positions = PebblePositions(pond.graph)
    return part(pond.subset(for: try positions.positions(of: targets)))
  }

  /// The same, with an error that names all that is not in this one.
  func checkedSubset(for targets: [any PebbleIdentifying]) throws(PondError) -> PondModel {
    part(pond.subset(for: try pond.positions(of: targets)))
  }

  private func part(_ subset: Set<Int>) -> PondModel {
    var model = PondModel(pond.part(subset))
    model.outputs = subset.sorted().map { hasKnownOutput(at: $0) }
    return model
  }
}
