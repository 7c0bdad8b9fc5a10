import Pebbles
public import PebblesAnalysis

extension RecordedRun {
  /// Creates a run from its journal. If the run is still in progress, only the entries written so
  /// far are read.
  ///
  /// ```swift
  /// let run = try RecordedRun(journalAt: "nightly.journal")
  /// print(try run.why(.named("report")))
  /// ```
  ///
  /// If the run has not ended, its unfinished pebbles count as skipped by a cancellation. The
  /// reason for this cancellation is `it had not ended when it was read`. Outputs are not read.
  /// Teardowns are read if the run is over.
  ///
  /// - Parameter path: The path of the journal.
  /// - Throws: ``JournalError`` if the file cannot be read, is not a journal, has a newer format
  ///   version, or is damaged.
  /// - Complexity: O(bytes of the journal + pebbles + atoms + *n* log *n*) for *n* pebbles that
  ///   ran.
  public init(journalAt path: String) throws(JournalError) {
    let bytes: [UInt8]
    do throws(SystemFile.Failure) {
      bytes = try SystemFile(path, access: .reading).read()
    } catch {
      throw JournalError(.inaccessible, path, error.clause)
    }
    try self.init(journal: bytes, at: path)
  }

  /// Creates a run from the bytes of its journal.
  ///
  /// - Parameters:
  ///   - bytes: The content of the journal, now or at some earlier moment.
  ///   - path: The name of the journal in errors.
  /// - Throws: ``JournalError`` if the bytes are not a journal, have a newer format version, or are
  ///   damaged.
  /// - Complexity: O(bytes of the journal + pebbles + atoms + *n* log *n*) for *n* pebbles that
  ///   ran.
  public init(journal bytes: [UInt8], at path: String = "journal") throws(JournalError) {
    do throws(JournalReader.Fault) {
      guard let reader = try JournalReader(bytes) else {
        throw .damaged("its first line is incomplete")
      }
      self = try RecordedRun(reader)
    } catch {
      throw JournalError(error, path)
    }
  }

  /// Returns whether the given bytes begin with the name of the journal format.
  package static func isJournal(_ bytes: [UInt8]) -> Bool { JournalHeader.begins(bytes) }

  private init(_ reader: JournalReader) throws(JournalReader.Fault) {
    var reader = reader
    let model = try reader.header.model()
    var known = JournalProgress(of: model.pond, nil)
    while let (entry, payload) = try reader.next() { try known.add(entry, payload) }
    known.finish(at: nil)
    let subset = try known.subset()
    let storage = RunStorage(model.pond, of: subset)
    if let pebble = known.begin(storage, of: subset) { throw known.impossible(pebble) }

    let progress = known.progress
    let isUnderWay = storage.settleRest(progress)
    let isEnded = !isUnderWay || progress.cancellation != nil
    let report = Report(
      storage, RunIdentifier(reader.header.run),
      endedAt: isEnded ? progress.lastSettling : progress.elapsed, progress.cancellation?.reason)
    self = report.recorded(
      from: known.firstWallTime.map { RunOrigin(started: .nanoseconds($0)) })
    if let shutdown = known.shutdown(endedAt: makespan) { self = with(shutdown) }
    unreadableLine = reader.unreadableLine
    guard isUnderWay, progress.cancellation == nil else { return }
    var unended: [Int: String] = [:]
    for pebble in pebbles.indices
    where storage.state.status(of: pebble) == .skippedByCancellation {
      unended[pebble] = progress.unfinished[pebble]?.clause ?? "had not begun"
    }
    self = self.unended(unended)
  }
}

extension JournalProgress {
  /// Returns the shutdown of a run in which the last pebble settled at the given time; `nil` if the
  /// run is not over, or if no teardown is recorded.
  fileprivate func shutdown(endedAt end: Duration) -> RecordedShutdown? {
    guard isOver, !teardowns.isEmpty,
      let reason = progress.shutdown ?? progress.cancellation?.reason
    else { return nil }
    let started = shutdownTime?.asNanoseconds ?? end
    func sinceStart(_ time: UInt64) -> Duration { max(time.asNanoseconds - started, .zero) }
    return RecordedShutdown(
      reason: reason.unasked.map { "\($0)".truncated(to: 500) }, started: started,
      duration: sinceStart(lastTime),
      teardowns: teardowns.map { teardown in
        RecordedTeardown(
          pebble: teardown.pebble, started: nil, finished: sinceStart(teardown.time),
          error: teardown.error)
      })
  }
}

extension RunProgress {
  /// The time at which the last pebble settled, or the time of the cancellation if that is later.
  /// Later journal entries, about services and the teardown, do not count.
  fileprivate var lastSettling: UInt64 {
    let times = steps.map { step in
      switch step {
      case .ended(let end): end.finished
      case .skipped(_, heldBy: _, at: let time): time
      }
    }
    return max(times.max() ?? 0, cancellation?.time ?? 0)
  }
}

extension RunProgress.Unfinished {
  /// The state of a pebble that has not ended, worded to follow its name in a sentence:
  /// `"was running"`.
  fileprivate var clause: String {
    guard crashes == 0 else { return "was running" }
    guard !attempts.isEmpty else { return "was stopped with its process" }
    let error = attempts.last?.error.map { ": \($0)".truncated(to: 500).singleLine } ?? ""
    let times = attempts.count == 1 ? "once" : "\(attempts.count) times"
    let next = nextAttempt.asNanoseconds.brief
    return "had failed \(times) and was to be called again at \(next)\(error)"
  }
}

extension RunStorage {
  /// Settles every pebble that has not settled yet.
  ///
  /// - Returns: `true` if a pebble could still start, or if the run was cancelled; `false` if the
  ///   run had ended.
  func settleRest(_ progress: RunProgress) -> Bool {
    var decisions = Decisions()
    let pebbles = 0..<state.network.pebbleCount
    func isReady() -> Bool {
      pebbles.contains { state.status(of: $0) == .waiting && state.value(ofGate: $0) == true }
    }
    while progress.cancellation == nil, !isReady() {
      let hasStalled = state.settleAtRest(
        pond.operands, isCancelled: false, at: progress.lastSettling, into: &decisions)
      if !hasStalled { return false }
    }
    state.settleAtRest(
      pond.operands, isCancelled: true, at: progress.cancellation?.time ?? progress.elapsed,
      into: &decisions)
    return true
  }
}
