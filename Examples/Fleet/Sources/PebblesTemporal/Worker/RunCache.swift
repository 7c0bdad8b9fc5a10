import PebblesAnalysis
import Synchronization
import TemporalWire

/// One run that this worker decides for. Tasks and queries of a run may come at the same time, and
/// are taken one after another here.
actor CachedRun {
  private let replay: RunReplay

  init(_ replay: sending RunReplay) {
    self.replay = replay
  }

  /// What there is to be answered to a task.
  struct Answer: Sendable {
    let decisions: [Decision]
    let status: FleetStatus

    /// What is kept of the run once it has ended.
    let result: RunResult?
  }

  /// Tells what has happened since, and what is to be done now.
  ///
  /// - Parameter events: What the server says has happened; none for a query.
  /// - Returns: What there is to be answered; `nil` if the events do not follow those told before:
  ///   another worker has decided meanwhile, or the server has dropped some and gives their numbers
  ///   again. The run is not to be used any more then.
  /// - Throws: `ReplayError`; the run is not to be used any more then.
  func answer(to events: [TemporalHistoryEvent]) throws(ReplayError) -> Answer? {
    if let first = events.first, first.eventID != replay.lastEvent + 1 { return nil }
    for event in events { try replay.apply(event) }
    return Answer(
      decisions: replay.decisions(), status: replay.status,
      result: replay.recorded().map(RunResult.init))
  }
}

/// The runs that this worker has decided for last, so that it need not read their histories again.
final class RunCache: Sendable {
  private struct Entry {
    let run: CachedRun
    var use: Int
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var uses = 0
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  subscript(run: String) -> CachedRun? {
    state.withLock { state in
      state.uses += 1
      state.entries[run]?.use = state.uses
      return state.entries[run]?.run
    }
  }

  /// Keeps a run, and lets go of the one that has been of no use for longest where there are too
  /// many.
  ///
  /// - Complexity: O(1), and O(capacity) where there are too many.
  func keep(_ run: CachedRun, _ id: String) {
    let gone = state.withLock { state -> CachedRun? in
      state.uses += 1
      state.entries[id] = Entry(run: run, use: state.uses)
      guard state.entries.count > capacity,
        let oldest = state.entries.min(by: { $0.value.use < $1.value.use })
      else { return nil }
      return state.entries.removeValue(forKey: oldest.key)?.run
    }
    // Not under the lock: a large one takes a while to go.
    withExtendedLifetime(gone) {}
  }

  func forget(_ run: String) {
    let gone = state.withLock { $0.entries.removeValue(forKey: run) }
    withExtendedLifetime(gone) {}
  }

  var count: Int { state.withLock(\.entries.count) }
}
