import Pebbles

/// One call to a pebble's teardown, with the output of the pebble's body as bytes.
struct SingleTeardown: Sendable {
  private let call: SingleCall
  private let name: String
  private let coder: any OutputCoder

  /// Creates a call to a pebble's teardown, but does not make the call yet.
  ///
  /// - Throws: `PondError`, `UnknownPebbleError` or `AttemptError` if the pebble cannot be torn
  ///   down.
  init(
    _ program: Program, _ pebble: some PebbleIdentifying, of run: RunIdentifier,
    _ coder: some OutputCoder
  ) throws {
    let graph = program.pond.graph
    try program.pond.check()
    var positions = PebblePositions(graph)
    let position = try positions.position(of: pebble)
    name = graph.names[position]
    if program.pond.properties.pebbles[UInt32(position)]?.isService == true {
      throw AttemptError(
        name, "is a service, which must be stopped first; only a run can do that")
    }
    self.coder = coder
    call = SingleCall(program, position, of: run, originalName: pebble.pebbleID.originalName)
  }

  /// Calls the teardown.
  ///
  /// - Throws: The error of the teardown; `AttemptError` if the output cannot be decoded.
  func tearDown(_ output: [UInt8]?) async throws {
    do {
      try await call.callTeardown(coder.decoding(output))
    } catch let error as UndecodableOutput {
      throw AttemptError(name, "cannot be torn down: \(error)")
    }
  }
}
