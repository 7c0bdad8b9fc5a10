/// Outputs that outlive their process.
extension Program {
  /// What a pebble puts out; `nil` if that is nothing, or, of a service, not known.
  package func outputType(of pebble: Int) -> Any.Type? {
    let type =
      options[UInt32(pebble)]?.traits.given?.output ?? bodies.address(of: pebble).pointee.output
    return type == Void.self ? nil : type
  }

  /// An output in its box; `nil` for what the pebble cannot put out.
  package func boxed(_ output: Any, of pebble: Int) -> AnyOutput? {
    if let given = options[UInt32(pebble)]?.traits.given { return given.boxed(output) }
    return bodies.address(of: pebble).pointee.boxed(output)
  }
}
