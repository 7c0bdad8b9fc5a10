import Pebbles
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A writer for the journal of one run.
///
/// Each entry describes an event, and is passed to the operating system in one call before the run
/// acts on the event. The entry therefore outlives the process. Once a write has failed, the writer
/// writes only the results of teardowns, so that the journal stays consistent.
final class JournalWriter: RunJournal {
  /// The position at which a writer starts: the beginning of a new journal, or the end of an
  /// existing one.
  enum Start {
    case beginning(JournalHeader)
    case end(End)
  }

  /// The state at the end of a journal that already exists.
  struct End {
    /// The length in bytes.
    let length: Int
    let lineCount: Int

    /// The time that the run has taken, in nanoseconds.
    let elapsed: UInt64
    let syncs: Bool

    /// Whether this process is the first process that syncs the journal.
    let isFirstToSync: Bool

    let isCancelled: Bool
    let isStopping: Bool

    /// The pebbles that have succeeded without an output, or with an output that is kept.
    let kept: Set<Int>
  }

  private struct State {
    /// The file; `nil` once the run is over.
    var file: SystemFile?
    var length = 0
    var lineCount = 0
    var isBroken = false

    /// The lines recorded before the run began, such as a cancellation. They are written after the
    /// entries for the beginning of the run.
    var early: [Line] = []
    var hasBegun = false

    /// Whether to leave further cancellations out of the journal. This is `true` if a cancellation
    /// has been written, or if the next process continues the run.
    var isCancelled = false
    var isStopping = false

    /// Whether the rest of the run is left to the next process; see `processWillExit()`.
    var isLeft = false

    /// The pebbles that have succeeded without an output, or with an output that is kept.
    var kept: Set<Int> = []

    /// The number of bytes, from the beginning of the file, that have been flushed to the disk.
    /// `markedLength` is the largest such number that has been recorded in the journal.
    var syncedLength = 0
    var markedLength = 0

    /// Whether a flush to the disk has failed. After that, it is uncertain which entries are on the
    /// disk, even if a later flush succeeds.
    var hasFailedToSync = false
  }

  private let state: Mutex<State>
  private let start: Start
  private let outputs: JournaledOutputs
  private let wallClock: @Sendable () -> Int64
  private let disk: DiskThread?
  private let broken = Mutex<(@Sendable (String) -> Void)?>(nil)

  init(
    _ file: SystemFile, _ outputs: JournaledOutputs, _ wallClock: @escaping @Sendable () -> Int64,
    _ start: Start
  ) {
    var state = State(file: file)
    let syncs: Bool
    switch start {
    case .beginning(let header): syncs = header.syncs
    case .end(let end):
      state.kept = end.kept
      state.length = end.length
      state.lineCount = end.lineCount
      state.isCancelled = end.isCancelled
      state.isStopping = end.isStopping
      syncs = end.syncs
    }
    self.state = Mutex(state)
    self.start = start
    self.outputs = outputs
    self.wallClock = wallClock
    disk = syncs ? DiskThread() : nil
  }

  private var names: StableSlice<String> { outputs.program.pond.graph.names }

  func whenBroken(_ handler: @escaping @Sendable (_ problem: String) -> Void) {
    broken.withLock { $0 = handler }
  }

  /// Closes the file, and removes it if it is new. Call this method if the run cannot begin.
  func close() {
    let file = state.withLock { $0.file.take() }
    if file?.isNew == true { file?.remove() }
    disk?.end()
  }

  // MARK: Events

  func runBegan(_ beginning: RunBeginning) async {
    var entries: [Line] = []
    switch start {
    case .end(let end):
      entries = [Line(process(at: end.elapsed))]
    case .beginning:
      entries = [Line(process(at: 0))]
      if let targets = beginning.targets {
        entries.append(Line(.only(targets.sorted().map { names[$0] })))
      }
      for (pebble, value) in beginning.given.sorted(by: { $0.key < $1.key }) {
        entries.append(given(pebble, value.output, value.cases))
      }
      entries.append(Line(.began(disabled: beginning.disabled.map { names[$0] })))
    }
    let lines = entries
    guard let disk else {
      write(lines, begins: true)
      return
    }
    await disk.run { [self] in
      write(lines, begins: true)
      // The header says that the journal does not sync. From now on, the entry about the sync just
      // done says that it does.
      if isFirstToSync, write([]) != nil { sync() }
    }
  }

  private var isFirstToSync: Bool {
    if case .end(let end) = start { end.isFirstToSync } else { false }
  }

  func bodyCalled(_ pebble: Int, attempt: Int, at time: UInt64) {
    write([Line(.called(names[pebble], attempt: attempt, at: time))])
  }

  func attemptFailed(_ pebble: Int, _ attempt: PebbleAttempt, next: UInt64) {
    write([Line(.failed(names[pebble], Self.call(attempt), next: next))])
  }

  func bodyEnded(_ end: RunProgress.End) async {
    // The next process calls stopped bodies again. The end of a stopped body does not count as a
    // failure there, but the end of an abandoned body would.
    if !end.succeeded, !end.wasCancelled, state.withLock(\.isLeft) { return }
    var entry = JournalEntry.End(
      pebble: names[end.pebble], started: end.started, finished: end.finished,
      error: end.error.map { RecordedError(recording: $0).text })
    entry.cases = texts(of: end.cases, of: end.pebble)
    entry.calls = end.attempts.map(Self.call)
    entry.wasCancelled = end.wasCancelled
    let output = end.succeeded ? outputs.kept(end.payload, of: end.pebble) : .nothing
    entry.missing = output.missing
    let isKept = end.succeeded && output.missing == nil
    await writeForGood([Line(.ended(entry), output.payload)], keeping: isKept ? end.pebble : nil)
  }

  func keeps(_ pebble: Int) -> Bool {
    state.withLock { state in
      // If the journal is gone, no later process can find the output.
      state.kept.contains(pebble) && state.file?.lengthAtItsPath == state.length
    }
  }

  func outputRestored(_ output: AnyOutput?, of pebble: Int, at time: UInt64) async {
    let kept = outputs.kept(output, of: pebble)
    let line = Line(.up(names[pebble], missing: kept.missing, at: time), kept.payload)
    if kept.missing == nil {
      await writeForGood([line], keeping: pebble)
    } else {
      write([line])
    }
  }

  func serviceEnded(_ pebble: Int, at time: UInt64) {
    write([Line(.serviceEnded(names[pebble], at: time))])
  }

  func policyDecided(_ pebble: Int, _ decision: FailureDecision) {
    write([Line(.decided(names[pebble], decision))])
  }

  func pebbleSkipped(_ pebble: Int, heldBy holder: Int, at time: UInt64) {
    write([Line(.skipped(names[pebble], holder: names[holder], at: time))])
  }

  func processWillExit() {
    let isLeft = state.withLock { state in
      guard !state.isCancelled, !state.isStopping else { return false }
      state.isCancelled = true
      state.isLeft = true
      return true
    }
    if isLeft { write([Line(.leaving)]) }
  }

  func runCancelled(_ reason: RunCancellation, at time: UInt64) {
    let isKnown = state.withLock { state in
      defer { state.isCancelled = true }
      return state.isCancelled
    }
    if !isKnown { write([Line(.cancelled(at: time), try? JSONOutputs().encode(reason))]) }
  }

  func shutdownBegan(_ reason: RunCancellation, at time: UInt64) {
    let isKnown = state.withLock { state in
      defer { state.isStopping = true }
      return state.isStopping || state.isCancelled
    }
    if !isKnown { write([Line(.stopping(at: time), try? JSONOutputs().encode(reason))]) }
  }

  func tornDown(_ pebble: Int, _ error: (any Error)?, at time: UInt64) async {
    let text = error.map { RecordedError(recording: $0).text }
    await writeForGood([Line(.tornDown(names[pebble], error: text, at: time))], evenIfBroken: true)
  }

  func lateTeardownFailed(_ pebble: Int, _ error: any Error, at time: UInt64) {
    let text = RecordedError(recording: error).text
    write([Line(.lateTeardownFailed(names[pebble], error: text, at: time))])
  }

  func runEnded(at time: UInt64) {
    let isLeft = state.withLock(\.isLeft)
    let length = isLeft ? nil : write([Line(.runFinished(at: time))])
    let file = state.withLock { $0.file.take() }
    // The file stays locked until the last sync is over.
    disk?.end { if length != nil { try? file?.sync() } }
  }

  // MARK: Entries

  private struct Line {
    let entry: [UInt8]
    let payload: [UInt8]?

    init(_ entry: JournalEntry, _ payload: [UInt8]? = nil) {
      self.entry = entry.bytes
      self.payload = payload
    }
  }

  private func process(at elapsed: UInt64) -> JournalEntry {
    let now = wallClock()
    return .process(
      identifier: getpid(), wallTime: now, date: CalendarDate.text(of: now), elapsed: elapsed)
  }

  private func given(_ pebble: Int, _ output: AnyOutput, _ cases: CaseSet) -> Line {
    let kept = outputs.kept(output, of: pebble)
    let cases = texts(of: cases, of: pebble)
    return Line(.given(names[pebble], cases: cases, missing: kept.missing), kept.payload)
  }

  private func texts(of cases: CaseSet, of pebble: Int) -> [String] {
    (outputs.program.pond.graph.cases[pebble]?[cases] ?? []).map { "\($0)" }
  }

  private static func call(_ attempt: PebbleAttempt) -> JournalEntry.Call {
    JournalEntry.Call(
      started: attempt.started.nanoseconds, finished: attempt.finished.nanoseconds,
      error: attempt.error.map { RecordedError(recording: $0).text })
  }

  // MARK: The file

  /// Writes lines. If the journal must survive a power loss, this method waits until the lines are
  /// on the disk.
  private func writeForGood(
    _ lines: [Line], keeping pebble: Int? = nil, evenIfBroken: Bool = false
  ) async {
    guard write(lines, keeping: pebble, evenIfBroken: evenIfBroken) != nil, let disk else { return }
    await disk.run { [self] in sync() }
  }

  /// Flushes everything written so far to the disk.
  private func sync() {
    guard let (file, length) = state.withLock({ state in state.file.map { ($0, state.length) } })
    else { return }
    do throws(SystemFile.Failure) {
      try file.sync()
      state.withLock { state in
        if !state.hasFailedToSync { state.syncedLength = max(state.syncedLength, length) }
      }
    } catch {
      state.withLock { $0.hasFailedToSync = true }
      failed(error)
    }
  }

  /// Writes lines.
  ///
  /// - Returns: The length of the journal afterwards, not counting lines that are held back until
  ///   the run has begun; `nil` if the lines could not be written.
  @discardableResult
  private func write(
    _ lines: [Line], keeping pebble: Int? = nil, begins: Bool = false, evenIfBroken: Bool = false
  ) -> Int? {
    let result = state.withLock { state -> Result<Int, SystemFile.Failure>? in
      guard let file = state.file, evenIfBroken || !state.isBroken else { return nil }
      guard begins || state.hasBegun else {
        state.early += lines
        return .success(state.length)
      }
      do throws(SystemFile.Failure) {
        try write(lines + state.early, begins: begins, to: file, &state)
        state.early = []
        state.hasBegun = true
        if let pebble { state.kept.insert(pebble) }
        return .success(state.length)
      } catch {
        state.isBroken = true
        return .failure(error)
      }
    }
    switch result {
    case .success(let length): return length
    case .failure(let failure): failed(failure)
    case nil: break
    }
    return nil
  }

  private func write(
    _ lines: [Line], begins: Bool, to file: SystemFile, _ state: inout State
  ) throws(SystemFile.Failure) {
    guard let length = file.lengthAtItsPath else {
      throw SystemFile.Failure("is gone: it was deleted, moved or replaced")
    }
    guard begins || length == state.length else {
      throw SystemFile.Failure("was changed by another program while the run was under way")
    }
    var bytes: [UInt8] = []
    var count = state.lineCount
    var isFirst = false
    if begins, case .beginning(let header) = start {
      bytes = header.bytes
      count = 1
      isFirst = true
    }
    if state.syncedLength > state.markedLength {
      count += 1
      JournalLine.append(count, JournalEntry.synced(state.syncedLength).bytes, to: &bytes)
    }
    for line in lines {
      count += 1
      JournalLine.append(count, line.entry, line.payload, to: &bytes)
    }
    if isFirst {
      // The header is written as a whole, because half a header is no journal.
      state.file = try file.replaced(by: bytes, syncs: disk != nil)
    } else {
      if begins { try file.truncate(to: state.length) }
      do throws(SystemFile.Failure) {
        try file.write(bytes, at: state.length)
        if begins, disk != nil { try file.sync() }
      } catch {
        // A half-written line is no entry, so it is removed.
        try? file.truncate(to: state.length)
        throw error
      }
    }
    if begins, disk != nil { state.syncedLength = state.length + bytes.count }
    state.markedLength = max(state.markedLength, min(state.syncedLength, state.length))
    state.length += bytes.count
    state.lineCount = count
  }

  private func failed(_ failure: SystemFile.Failure) {
    state.withLock { $0.isBroken = true }
    broken.withLock { $0.take() }?("\(failure.clause)")
  }
}
