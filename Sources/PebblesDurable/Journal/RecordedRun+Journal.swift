import Pebbles
public import PebblesAnalysis

extension RecordedRun {
  /// Reads a run from its journal, also while it is under way: what is written at that moment.
  ///
  /// ```swift
  /// let run = try RecordedRun(journalAt: "nightly.journal")
  /// print(try run.why(.named("report")))
  /// ```
  ///
  /// Of a run that has not ended, what has not counts as skipped by a cancellation, which says what
  /// was running. Outputs are not read, and neither is what came of tearing the run down.
  ///
  /// - Parameter path: Where the journal is.
  /// - Throws: ``JournalError`` if that cannot be read, is no journal, of a newer version or
  ///   damaged.
  /// - Complexity: O(bytes of the journal + pebbles + atoms).
  public init(journalAt path: String) throws(JournalError) {
    let bytes: [UInt8]
    do throws(SystemFile.Failure) {
      bytes = try SystemFile(path, access: .reading).read()
    } catch {
      throw JournalError(.inaccessible, path, error.clause)
    }
    try self.init(journal: bytes, at: path)
  }

  /// Reads a run from the bytes of its journal.
  ///
  /// - Parameters:
  ///   - bytes: What is in the journal, or was up to some moment.
  ///   - path: What errors call it.
  /// - Throws: ``JournalError``, as for a path.
  /// - Complexity: O(bytes of the journal + pebbles + atoms).
  public init(journal bytes: [UInt8], at path: String = "journal") throws(JournalError) {
    do throws(JournalReader.Fault) {
      guard let reader = try JournalReader(bytes) else {
        throw .damaged("not even its first line is whole")
      }
      self = try RecordedRun(reader)
    } catch {
      throw JournalError(error, path)
    }
  }

  /// Whether something begins as a journal does.
  package static func isJournal(_ bytes: [UInt8]) -> Bool { JournalHeader.begins(bytes) }

  private init(_ reader: JournalReader) throws(JournalReader.Fault) {
    var reader = reader
    let model: PondModel
    do throws(JSONError) {
      model = try PondModel(json: reader.header.pond, limits: .none)
    } catch {
      throw .damaged("line 1 holds no pond: \(error)")
    }
    var known = JournalProgress(of: model.pond, nil)
    while let (entry, payload) = try reader.next() { try known.add(entry, payload) }
    known.finish(at: nil)
    let subset = try known.subset()
    let storage = RunStorage(model.pond, of: subset)
    if let pebble = known.begin(storage, of: subset) { throw known.impossible(pebble) }

    let progress = known.progress
    let waiting = model.names.indices.filter { storage.state.status(of: $0) == .waiting }
    let isUnderWay = storage.settleRest(progress)
    let report = Report(
      storage, RunIdentifier(reader.header.run), endedAt: progress.elapsed,
      progress.cancellation?.reason)
    self = report.recorded(
      from: known.firstWallTime.map { RunOrigin(started: .nanoseconds($0)) })
    unreadableLine = reader.unreadableLine
    guard isUnderWay, progress.cancellation == nil else { return }
    let unended = waiting.map { ($0, progress.unfinished[$0]?.clause ?? "had not begun") }
    self = self.unended(Dictionary(uniqueKeysWithValues: unended))
  }
}

extension RunProgress.Unfinished {
  /// What a pebble was at that had not ended.
  fileprivate var clause: String {
    guard crashes == 0 else { return "was running" }
    let error = attempts.last?.error.map { ": \($0)".truncated(to: 500).singleLine } ?? ""
    let times = attempts.count == 1 ? "once" : "\(attempts.count) times"
    return "had failed \(times), to be called again at \(nextAttempt.asNanoseconds.brief)\(error)"
  }
}

extension RunStorage {
  /// Settles what has not ended.
  ///
  /// - Returns: Whether there was something that could still have started.
  fileprivate func settleRest(_ progress: RunProgress) -> Bool {
    var decisions = Decisions()
    let pebbles = 0..<state.network.pebbleCount
    func isReady() -> Bool {
      pebbles.contains { state.status(of: $0) == .waiting && state.value(ofGate: $0) == true }
    }
    while progress.cancellation == nil, !isReady() {
      let hasStalled = state.settleAtRest(
        pond.operands, isCancelled: false, at: progress.elapsed, into: &decisions)
      if !hasStalled { return false }
    }
    state.settleAtRest(
      pond.operands, isCancelled: true, at: progress.cancellation?.time ?? progress.elapsed,
      into: &decisions)
    return true
  }
}
