import Pebbles
import PebblesAnalysis

/// A reader of journal entries that reconstructs the progress of the run.
struct JournalProgress {
  private(set) var progress = RunProgress()

  /// The names of the requested pebbles; `nil` if all pebbles were requested.
  private(set) var targets: [String]?

  /// The outputs that were given to the run, keyed by pebble. `givenPayloads` contains these
  /// outputs in their encoded form, as found in the journal.
  private(set) var given: [Int: AnyOutput] = [:]
  private(set) var givenPayloads: [Int: ArraySlice<UInt8>] = [:]

  /// Whether all inputs of the run have been read.
  private(set) var hasBegun = false

  /// Whether the run has ended, with nothing left to tear down.
  private(set) var isOver = false

  /// The teardowns since the cancellation or the beginning of the shutdown, in order. Times are in
  /// nanoseconds since the start of the run.
  private(set) var teardowns: [(pebble: Int, error: String?, time: UInt64)] = []

  /// The time at which the shutdown of an ended run began, in nanoseconds since the start of the
  /// run; `nil` if the run was cancelled, or has not been shut down.
  private(set) var shutdownTime: UInt64?

  /// The last process that worked on the run, and the time at which it started. `wallTime` is in
  /// nanoseconds since 1970, and `elapsed` is in nanoseconds since the start of the run.
  private(set) var process: (identifier: Int32, wallTime: Int64, elapsed: UInt64)?

  /// The wall-clock time at which the first process began, in nanoseconds since 1970.
  private(set) var firstWallTime: Int64?

  /// The latest time in the journal, in nanoseconds since the start of the run.
  private(set) var lastTime: UInt64 = 0

  private let pond: PondLogic
  private let outputs: JournaledOutputs?
  private let positions: [String: Int]
  private var tornDown: Set<Int> = []

  /// The indices of the recorded ends in `progress.steps`, keyed by pebble.
  private var places: [Int: Int] = [:]

  /// The pebbles whose bodies the last process called without recording an end. Several calls to
  /// one body count as one crash, because the process died during only one of them.
  private var called: Set<Int> = []

  /// Whether the last process was being stopped. If so, no body is considered to have crashed the
  /// process.
  private var isLeft = false

  /// Creates a reader that has not read any entries.
  ///
  /// - Parameters:
  ///   - pond: The logic of the pond.
  ///   - outputs: The coder for outputs; `nil` to ignore outputs.
  init(of pond: PondLogic, _ outputs: JournaledOutputs?) {
    self.pond = pond
    self.outputs = outputs
    positions = Dictionary(zip(pond.graph.names, 0...)) { first, _ in first }
  }

  /// Adds an entry.
  mutating func add(
    _ entry: JournalEntry, _ payload: ArraySlice<UInt8>?
  ) throws(JournalReader.Fault) {
    switch entry {
    case .process(let identifier, let wallTime, _, let elapsed):
      forgetStoppedBodies()
      process = (identifier, wallTime, elapsed)
      firstWallTime = firstWallTime ?? wallTime
      progress.processCount += 1
      called = []
      isLeft = false
      lastTime = max(lastTime, elapsed)
    case .only(let pebbles):
      targets = pebbles
    case .given(let name, let cases, let missing):
      try wasGiven(try position(of: name), cases, missing, payload)
    case .began(let disabled):
      for name in disabled { progress.disabled.append(try position(of: name)) }
      hasBegun = true
    case .called(let name, _, let time):
      bodyCalled(try position(of: name))
      passed(time)
    case .failed(let name, let call, let next):
      let pebble = try position(of: name)
      called.remove(pebble)
      var known = progress.unfinished[pebble] ?? RunProgress.Unfinished()
      known.crashes = 0
      known.attempts.append(Self.attempt(call))
      known.nextAttempt = next
      progress.unfinished[pebble] = known
      passed(call.finished)
    case .ended(let end):
      try ended(end, payload)
    case .up(let name, let missing, let time):
      try outputRestored(of: try position(of: name), missing, payload)
      passed(time)
    case .serviceEnded(let name, let time):
      progress.endedServices.insert(try position(of: name))
      passed(time)
    case .decided(let name, let decision):
      progress.decisions[try position(of: name)] = decision
    case .skipped(let name, let holder, let time):
      progress.steps.append(
        .skipped(try position(of: name), heldBy: try position(of: holder), at: time))
      passed(time)
    case .leaving:
      processLeft()
    case .cancelled(let time):
      progress.cancellation = (try Self.reason(payload), time)
      teardowns = []
      passed(time)
    case .stopping(let time):
      progress.shutdown = try Self.reason(payload)
      shutdownTime = time
      teardowns = []
      passed(time)
    case .tornDown(let name, let error, let time):
      teardownEnded(try position(of: name), error, at: time)
    case .lateTeardownFailed(let name, let error, let time):
      progress.lateTeardownErrors[try position(of: name), default: []].append(error)
      passed(time)
    case .runFinished(let time):
      isOver = true
      passed(time)
    case .synced:
      break
    }
  }

  /// Completes the progress after all entries have been read.
  ///
  /// - Parameter wallTime: The current wall-clock time, in nanoseconds since 1970; `nil` if the run
  ///   is not continued. The time since the last process counts as part of the run, unless the
  ///   clock was set back.
  mutating func finish(at wallTime: Int64?) {
    progress.elapsed = lastTime
    if let wallTime, let process {
      let last = process.wallTime.addingReportingOverflow(
        Int64(clamping: lastTime - min(process.elapsed, lastTime)))
      let idle = wallTime.subtractingReportingOverflow(last.partialValue)
      if !last.overflow, !idle.overflow, idle.partialValue > 0 {
        progress.elapsed = lastTime.addingSaturated(UInt64(idle.partialValue))
      }
    }
    forgetStoppedBodies()
    guard !tornDown.isEmpty else { return }
    if progress.cancellation != nil || progress.shutdown != nil {
      progress.tornDown = tornDown
    } else {
      // After the journal broke or the process left the run, some pebbles were torn down. The run
      // is continued without their outputs.
      progress.steps = progress.steps.map { step in
        guard case .ended(let end) = step, tornDown.contains(end.pebble) else { return step }
        return .ended(end.replacing(MissingOutput("has been torn down")))
      }
    }
  }

  /// Discards the recorded ends of the bodies that were stopped together with their process, and
  /// what the failure policy decided about their pebbles. The next process calls these bodies
  /// again. If the run was cancelled, the recorded ends are final.
  private mutating func forgetStoppedBodies() {
    guard progress.cancellation == nil else { return }
    progress.steps.removeAll { step in
      if case .ended(let end) = step { end.wasCancelled } else { false }
    }
    places = [:]
    for (place, step) in progress.steps.enumerated() { places[step.pebble] = place }
    // The end of an abandoned body is not recorded, but there may be a decision about it.
    progress.decisions = progress.decisions.filter { places[$0.key] != nil }
  }

  /// Replays the run to check that the journal does not contradict itself, and determines whether
  /// the run had ended.
  mutating func check() throws(JournalReader.Fault) {
    let subset = try subset()
    let storage = RunStorage(pond, of: subset)
    if let pebble = begin(storage, of: subset) { throw impossible(pebble) }
    guard progress.cancellation == nil else { return }
    progress.hasEnded = !storage.settleRest(progress)
    if progress.shutdown != nil, !progress.hasEnded {
      throw .damaged("it records the shutdown of a run that had not ended")
    }
  }

  /// Returns the fault to throw if a pebble cannot have ended as the journal records.
  func impossible(_ pebble: Int) -> JournalReader.Fault {
    let name = pond.graph.names[pebble].shortLiteral
    return .damaged("it records an end of \(name) that is impossible")
  }

  /// Returns the positions of the pebbles in the run; `nil` if all pebbles are in the run.
  func subset() throws(JournalReader.Fault) -> Set<Int>? {
    guard let targets else { return nil }
    var positions: Set<Int> = []
    for name in targets { positions.insert(try position(of: name)) }
    // A service mentions the services that it restarts with, so they are included.
    return pond.subset(for: positions)
  }

  /// Begins the run in `storage`, and replays all recorded steps.
  ///
  /// - Returns: The first pebble that cannot have ended as recorded; `nil` if all steps are
  ///   possible.
  func begin(_ storage: RunStorage, of subset: Set<Int>?) -> Int? {
    var decisions = Decisions()
    storage.state.begin(
      knowing: pond.knownOutcomes(disabled: progress.disabled, in: subset) {
        progress.givenCases[$0] ?? CaseSet()
      }, into: &decisions)
    return storage.replay(progress, into: &decisions)
  }

  // MARK: Parts

  private mutating func passed(_ time: UInt64) { lastTime = max(lastTime, time) }

  private mutating func wasGiven(
    _ pebble: Int, _ cases: [String], _ missing: String?, _ payload: ArraySlice<UInt8>?
  ) throws(JournalReader.Fault) {
    progress.givenCases[pebble] = try set(of: cases, of: pebble, succeeded: true)
    guard missing == nil else { return }
    given[pebble] = try outputs?.output(of: pebble, from: payload)
    givenPayloads[pebble] = payload
  }

  private mutating func bodyCalled(_ pebble: Int) {
    var known = progress.unfinished[pebble] ?? RunProgress.Unfinished()
    if !isLeft, called.insert(pebble).inserted { known.crashes += 1 }
    progress.unfinished[pebble] = known
  }

  private mutating func processLeft() {
    isLeft = true
    for pebble in called { bodyStopped(pebble) }
  }

  /// Records that a process has stopped a body, so that the call does not count as a crash. The
  /// body may be called again as part of the same attempt.
  private mutating func bodyStopped(_ pebble: Int) {
    if called.remove(pebble) != nil { progress.unfinished[pebble]?.crashes -= 1 }
  }

  private mutating func ended(
    _ end: JournalEntry.End, _ payload: ArraySlice<UInt8>?
  ) throws(JournalReader.Fault) {
    let pebble = try position(of: end.pebble)
    let hasSucceeded = end.error == nil
    var output: AnyOutput?
    if let error = end.error {
      output = .failure(RecordedError(error))
    } else if let missing = end.missing {
      output = MissingOutput(missing)
    } else {
      output = try outputs?.output(of: pebble, from: payload)
    }
    let step = RunProgress.End(
      pebble, succeeded: hasSucceeded,
      try set(of: end.cases, of: pebble, succeeded: hasSucceeded), output, started: end.started,
      finished: end.finished, attempts: end.calls.map(Self.attempt),
      wasCancelled: end.wasCancelled)
    places[pebble] = progress.steps.count
    tornDown.remove(pebble)
    progress.steps.append(.ended(step))
    if end.wasCancelled {
      bodyStopped(pebble)
    } else {
      called.remove(pebble)
      progress.unfinished[pebble] = nil
    }
    passed(end.finished)
  }

  private mutating func teardownEnded(_ pebble: Int, _ error: String?, at time: UInt64) {
    passed(time)
    // A teardown that ends just as it is recorded as not ended in time has two entries. The first
    // one counts.
    if tornDown.insert(pebble).inserted { teardowns.append((pebble, error, time)) }
  }

  /// Replaces the output of a restarted service, or the lost output of a pebble whose body has been
  /// called again.
  private mutating func outputRestored(
    of pebble: Int, _ missing: String?, _ payload: ArraySlice<UInt8>?
  ) throws(JournalReader.Fault) {
    called.remove(pebble)
    progress.unfinished[pebble] = nil
    progress.endedServices.remove(pebble)
    tornDown.remove(pebble)
    guard let place = places[pebble], case .ended(let end) = progress.steps[place] else { return }
    let output =
      if let missing { MissingOutput(missing) as AnyOutput? } else {
        try outputs?.output(of: pebble, from: payload)
      }
    progress.steps[place] = .ended(end.replacing(output))
  }

  private func position(of name: String) throws(JournalReader.Fault) -> Int {
    guard let position = positions[name] else {
      throw .damaged(
        "it names \(name.shortLiteral), which its pond does not have")
    }
    return position
  }

  private func set(
    of cases: [String], of pebble: Int, succeeded: Bool
  ) throws(JournalReader.Fault) -> CaseSet {
    guard !cases.isEmpty else { return CaseSet() }
    let list = pond.graph.cases[pebble] ?? CaseList()
    let held = list.cases.filter { cases.contains("\($0)") }
    guard held.count == cases.count, let set = try? list.set(of: held, succeeded: succeeded) else {
      let name = pond.graph.names[pebble].shortLiteral
      throw .damaged("it names cases that \(name) does not have, or that cannot hold together")
    }
    return set
  }

  private static func attempt(_ call: JournalEntry.Call) -> PebbleAttempt {
    PebbleAttempt(
      started: call.started.asNanoseconds, finished: call.finished.asNanoseconds,
      error: call.error.map { RecordedError($0) })
  }

  private static func reason(
    _ payload: ArraySlice<UInt8>?
  ) throws(JournalReader.Fault) -> RunCancellation {
    guard
      let reason = try? JSONOutputs().decode(RunCancellation.self, from: Array(payload ?? []))
    else { throw .damaged("it gives no reason for the end of the run") }
    return reason
  }
}
