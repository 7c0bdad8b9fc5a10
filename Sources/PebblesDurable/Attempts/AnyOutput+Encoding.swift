import Pebbles

extension AnyOutput {
  /// The output as bytes; `nil` if it is none or cannot be encoded.
  func encoded(by coder: any OutputCoder) throws -> [UInt8]? {
    try encodable.map { try coder.encode($0) }
  }
}

extension PondLogic {
  /// The pebbles whose outputs are read, ascending: by the body of another one, or by a teardown.
  ///
  /// - Complexity: O(inputs of all pebbles), and sorting the pebbles.
  var pebblesWithReaders: [Int] {
    var read = Set(properties.pebbles.filter(\.value.hasTeardown).keys.map(Int.init))
    for pebble in graph.names.indices where graph.hasInputs(pebble) {
      read.formUnion(graph.pebblesRead(by: pebble))
    }
    return read.sorted()
  }
}
