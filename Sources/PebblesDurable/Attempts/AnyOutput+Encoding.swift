import Pebbles

extension AnyOutput {
  /// Returns the output as bytes; `nil` if there is no output, or if its type is not `Encodable`.
  func encoded(by coder: any OutputCoder) throws -> [UInt8]? {
    try encodable.map { try coder.encode($0) }
  }
}

extension PondLogic {
  /// The pebbles whose outputs are read by the bodies of other pebbles or by teardowns, in
  /// ascending order.
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
