/// One call of the body of one pebble, for a run that is driven from elsewhere: its inputs come
/// from there as bytes, and its output goes there as bytes.
///
/// It has the parts of a run that attempts need, timeouts, threads, what is around bodies,
/// teardowns of what comes too late, but is none: nothing is decided, and nothing follows from it.
struct SingleAttempt: Sendable {
  private let core: RunCore
  private let pebble: Int
  private let number: Int
  private let options: PebbleOptions
  private let coder: any OutputCoder

  /// - Throws: `PondError`, `UnknownPebbleError` or `AttemptError` for what cannot be called.
  init(
    _ program: Program, _ pebble: some PebbleIdentifying, number: Int, of run: RunIdentifier,
    inputs: [String: EncodedOutcome], _ coder: any OutputCoder, _ clock: RunClock
  ) throws {
    let graph = program.pond.graph
    let faults = program.pond.faults
    guard faults.isEmpty else { throw PondError(pondName: graph.pondName, faults: faults) }
    var positions = PebblePositions(graph)
    self.pebble = try positions.position(of: pebble)
    self.number = number
    self.coder = coder
    options = program.options[UInt32(self.pebble)] ?? .none
    try Self.check(self.pebble, number, options, graph)

    var outcomes: [Int: EncodedOutcome] = [:]
    for (name, outcome) in inputs {
      outcomes[try positions.position(of: .named(name))] = outcome
    }
    try Self.check(outcomes, of: self.pebble, graph)
    var runOptions = RunOptions()
    runOptions.purpose = .singleCall(run)
    core = RunCore(program, clock, runOptions)
    for (input, outcome) in outcomes where input != self.pebble {
      core.storage.values.assume(outcome, of: input, coder)
    }
  }

  private static func check(
    _ pebble: Int, _ number: Int, _ options: PebbleOptions, _ graph: PondGraph
  ) throws(AttemptError) {
    let name = graph.names[pebble]
    if number < 1 {
      throw AttemptError(name, "cannot be called for attempt \(number): attempts count from 1")
    }
    if options.traits.given != nil {
      throw AttemptError(name, "is given to each run: it has no body that could be called")
    }
    if options.isService {
      throw AttemptError(
        name, "is a service, which goes on when it is ready; only a run can call and stop it")
    }
  }

  /// Whether the inputs are those that the body takes.
  private static func check(
    _ outcomes: [Int: EncodedOutcome], of pebble: Int, _ graph: PondGraph
  ) throws(AttemptError) {
    for need in graph.needs(of: pebble) {
      guard let input = graph.position(of: need.pebble) else { continue }
      let reader = graph.names[pebble]
      let name = graph.names[input].truncated(to: 60).swiftName
      guard let outcome = outcomes[input] else {
        throw AttemptError(reader, "was called without the outcome of \(name), which it reads")
      }
      guard need.outcomes.accepts(outcome.event) else {
        throw AttemptError(
          reader,
          "cannot be called: it needs \(name) to \(need.outcomes.infinitive), "
            + "but that \(outcome.event.past)")
      }
    }
  }

  /// Calls the body.
  func call() async -> AttemptResult {
    let attempts = PebbleAttempts(core, pebble)
    var thread: OrderedQueue.Thread?
    if options.traits.isBlocking, core.options.executor == nil {
      thread = await attempts.waitForThread()
      if thread == nil { return .failed(AttemptFailure(CancellationError())) }
    }
    if Task.isCancelled {
      if case .lease(let lease)? = thread { lease.end() }
      return .failed(AttemptFailure(CancellationError()))
    }
    let (result, call) = await attempts.attempt(number, with: thread)
    switch result {
    case .success(let output):
      return await encoded(output)
    case .failure(let error as UndecodableOutput):
      return .failed(AttemptFailure(AttemptError(name, "cannot be called: \(error)")))
    case .failure(let error):
      return .failed(await failure(error, leaving: call))
    }
  }

  private var name: String { core.name(pebble) }

  /// What is to be done about a failed attempt: as in a run, the next one does not overlap it.
  private func failure(_ error: any Error, leaving call: AttemptCall?) async -> AttemptFailure {
    let isOver = { call?.isOver.fulfilled != nil || call == nil }
    guard !Task.isCancelled, var schedule = options.traits.retry?.makeSchedule(),
      let delay = schedule.delay(afterFailure: number, with: error)
    else { return final(error, isStillRunning: !isOver()) }
    if let call, !(await core.isOver(call)) {
      return final(error, isStillRunning: !isOver())
    }
    return AttemptFailure(error, retryAfter: delay)
  }

  /// A failure after which there is no attempt.
  private func final(_ error: any Error, isStillRunning: Bool) -> AttemptFailure {
    AttemptFailure(
      error, isStillRunning: isStillRunning,
      cases: core.program.cases(of: pebble, error: error, in: core.identifier))
  }

  private func encoded(_ output: AnyOutput?) async -> AttemptResult {
    let cases = core.program.cases(of: pebble, output: output)
    guard let output, !(output is OutputBox<Void>) else { return .succeeded(nil, cases: cases) }
    do {
      if let bytes = try output.encoded(by: coder) { return .succeeded(bytes, cases: cases) }
      if !isOutputOfUse { return .succeeded(nil, cases: cases) }
      return await lost(
        output, AttemptError.notEncodable(output.typeName))
    } catch {
      let problem = "\(error)".truncated(to: RecordedError.longestText)
      return await lost(
        output, "has an output that cannot be encoded, \(output.typeName): \(problem)")
    }
  }

  /// The body has returned something that nobody will ever see: it is undone.
  private func lost(_ output: AnyOutput, _ clause: String) async -> AttemptResult {
    await Undoing(core, pebble).discard(output)
    return .failed(AttemptFailure(AttemptError(name, clause)))
  }

  /// Whether a pebble reads the output, or its own teardown does.
  ///
  /// - Complexity: O(inputs of all pebbles).
  private var isOutputOfUse: Bool { core.program.pebblesWithReaders.contains(pebble) }
}
