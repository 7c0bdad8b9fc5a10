import Pebbles

/// One call to a pebble's body, with its inputs and output as bytes.
struct SingleAttempt: Sendable {
  private let program: Program
  private let call: SingleCall
  private let pebble: Int
  private let number: Int
  private let coder: any OutputCoder

  /// Creates a call to a pebble's body, but does not make the call yet.
  ///
  /// - Throws: `PondError`, `UnknownPebbleError` or `AttemptError` if the body cannot be called.
  init(
    _ program: Program, _ pebble: some PebbleIdentifying, number: Int, of run: RunIdentifier,
    inputs: [String: EncodedOutcome], _ coder: some OutputCoder, _ clock: some Clock<Duration>
  ) throws {
    let graph = program.pond.graph
    try program.pond.check()
    var positions = PebblePositions(graph)
    self.program = program
    self.pebble = try positions.position(of: pebble)
    self.number = number
    self.coder = coder
    try Self.check(self.pebble, number, program.pond)

    var outcomes: [Int: EncodedOutcome] = [:]
    for (name, outcome) in inputs {
      outcomes[try positions.position(of: .named(name))] = outcome
    }
    try Self.check(outcomes, of: self.pebble, graph)
    call = SingleCall(
      program, self.pebble, of: run, originalName: pebble.pebbleID.originalName, clock)
    for (input, outcome) in outcomes {
      call.assume(outcome.outcome, of: input, coder.decoding(outcome.output))
    }
  }

  private static func check(
    _ pebble: Int, _ number: Int, _ pond: PondLogic
  ) throws(AttemptError) {
    let name = pond.graph.names[pebble]
    if number < 1 {
      throw AttemptError(name, "cannot be called for attempt \(number): attempts count from 1")
    }
    guard let properties = pond.properties.pebbles[UInt32(pebble)] else { return }
    if properties.isGiven {
      throw AttemptError(name, "is given to each run: it has no body to call")
    }
    if properties.isService {
      throw AttemptError(
        name, "is a service, which keeps running once it is ready; only a run can call and stop it")
    }
  }

  /// Checks that all inputs of the body are given, with the outcomes that the body needs.
  private static func check(
    _ outcomes: [Int: EncodedOutcome], of pebble: Int, _ graph: PondGraph
  ) throws(AttemptError) {
    for need in graph.needs(of: pebble) {
      guard let input = graph.position(of: need.pebble) else { continue }
      let reader = graph.names[pebble]
      let name = graph.names[input].shortName
      guard let event = outcomes[input]?.outcome.event else {
        throw AttemptError(reader, "was called without the outcome of \(name), which it reads")
      }
      guard need.outcomes.accepts(event) else {
        throw AttemptError(
          reader,
          "cannot be called: it needs \(name) to \(need.outcomes.infinitive), "
            + "but it \(event.past)")
      }
    }
  }

  /// Calls the body.
  func result() async -> AttemptResult {
    switch await call.callBody(attempt: number) {
    case .returned(let output, let cases): await encoded(output, cases)
    case .failed(let error as UndecodableOutput, _): failed("cannot be called: \(error)")
    case .failed(let error, let failure): .failed(AttemptFailure(error, failure))
    }
  }

  private var name: String { program.pond.graph.names[pebble] }

  private func encoded(_ output: AnyOutput?, _ cases: [PebbleCase]) async -> AttemptResult {
    guard let output, !output.isVoid else { return .succeeded(nil, cases: cases) }
    do {
      if let bytes = try output.encoded(by: coder) { return .succeeded(bytes, cases: cases) }
      if !program.pond.pebblesWithReaders.contains(pebble) { return .succeeded(nil, cases: cases) }
      return await lost(output, AttemptError.notEncodable(output.typeName))
    } catch {
      let problem = "\(error)".truncated(to: RecordedError.longestText)
      return await lost(
        output, "has an output that cannot be encoded, \(output.typeName): \(problem)")
    }
  }

  /// Calls the pebble's teardown, if it has one, with an output that could not be encoded, and
  /// returns the resulting failure.
  private func lost(_ output: AnyOutput, _ clause: String) async -> AttemptResult {
    await call.discard(output)
    return failed(clause)
  }

  /// Returns a failure that was not caused by the body, with the cases that hold for the pebble.
  private func failed(_ clause: String) -> AttemptResult {
    let error = AttemptError(name, clause)
    return .failed(AttemptFailure(error, call.final(error)))
  }
}
