/// One call of the teardown of one pebble, for a run that is driven from elsewhere: what its body
/// has returned comes from there as bytes.
struct SingleTeardown: Sendable {
  private let core: RunCore
  private let pebble: Int
  private let options: PebbleOptions
  private let coder: any OutputCoder

  /// - Throws: `PondError`, `UnknownPebbleError` or `AttemptError` for what cannot be torn down.
  init(
    _ program: Program, _ pebble: some PebbleIdentifying, of run: RunIdentifier,
    _ coder: any OutputCoder
  ) throws {
    let graph = program.pond.graph
    let faults = program.pond.faults
    guard faults.isEmpty else { throw PondError(pondName: graph.pondName, faults: faults) }
    var positions = PebblePositions(graph)
    self.pebble = try positions.position(of: pebble)
    self.coder = coder
    options = program.options[UInt32(self.pebble)] ?? .none
    if options.isService {
      throw AttemptError(
        graph.names[self.pebble],
        "is a service, which must have been stopped before; only a run can do that")
    }
    var runOptions = RunOptions()
    runOptions.purpose = .singleCall(run)
    core = RunCore(program, RunClock(ContinuousClock()), runOptions)
  }

  /// Calls the teardown.
  ///
  /// - Throws: What it threw; `AttemptError` if the output cannot be decoded.
  func call(with output: [UInt8]?) async throws {
    guard options.teardown != nil else { return }
    let payload = output.map { EncodedOutput($0, coder) }
    do {
      try await Undoing(core, pebble).undo(payload).get()
    } catch let error as UndecodableOutput {
      throw AttemptError(core.name(pebble), "cannot be torn down: \(error)")
    }
  }
}
