/// The types and boxes of outputs that are kept beyond their process.
extension Program {
  /// Returns the type of a pebble's output; `nil` if it has none, or if the type is not known, as
  /// with a service.
  package func outputType(of pebble: Int) -> Any.Type? {
    let type =
      options[UInt32(pebble)]?.traits.given?.output ?? bodies.address(of: pebble).pointee.output
    return type == Void.self ? nil : type
  }

  /// Returns an output in its box; `nil` if its type is not the output type of the pebble.
  package func boxed(_ output: Any, of pebble: Int) -> AnyOutput? {
    if let given = options[UInt32(pebble)]?.traits.given { return given.boxed(output) }
    return bodies.address(of: pebble).pointee.boxed(output)
  }
}
