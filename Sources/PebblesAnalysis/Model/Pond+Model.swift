import Pebbles

extension Pond {
  /// Returns a model of the pond as it is defined now: its logic, without the bodies.
  ///
  /// - Throws: `PondError` if the pond is defined wrongly.
  /// - Complexity: O(pebbles + atoms) after a change of the definition, else O(pebbles).
  public func model() throws(PondError) -> PondModel {
    let program = self.program()
    var model = PondModel(program.pond)
    model.outputs = program.knownOutputs
    guard model.pond.faults.isEmpty else {
      throw PondError(pondName: name, faults: model.pond.faults)
    }
    return model
  }
}
