import PebblesAnalysis
import Synchronization
import TemporalWire

/// A run that this worker decides for. Handles tasks and queries one at a time, even if they arrive
/// together.
actor CachedRun {
  private let replay: RunReplay

  init(_ replay: sending RunReplay) {
    self.replay = replay
  }

  /// The answer to a task.
  struct Answer: Sendable {
    let decisions: [Decision]
    let status: FleetStatus

    /// The result of the run; `nil` if it has not ended.
    let result: RunResult?
  }

  /// Applies new events, and returns the decisions to take now with the status of the run.
  ///
  /// - Parameter events: The new events; none for a query.
  /// - Returns: The answer; `nil` if the events do not follow the known ones, because another
  ///   worker has decided in the meantime, or the server has dropped events and reuses their
  ///   numbers. The run must not be used any more then.
  /// - Throws: `ReplayError`; the run must not be used any more then.
  func answer(to events: [TemporalHistoryEvent]) throws(ReplayError) -> Answer? {
    if let first = events.first, first.eventID != replay.lastEvent + 1 { return nil }
    for event in events { try replay.apply(event) }
    return Answer(
      decisions: replay.decisions(), status: replay.status,
      result: replay.recorded().map(RunResult.init))
  }
}

/// The runs that this worker decided for last, cached so that it need not read their histories
/// again.
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

  /// Adds a run, and removes the least recently used one if there are too many.
  ///
  /// - Complexity: O(1); O(capacity) if there are too many.
  func keep(_ run: CachedRun, _ id: String) {
    let gone = state.withLock { state -> CachedRun? in
      state.uses += 1
      state.entries[id] = Entry(run: run, use: state.uses)
      guard state.entries.count > capacity,
        let oldest = state.entries.min(by: { $0.value.use < $1.value.use })
      else { return nil }
      return state.entries.removeValue(forKey: oldest.key)?.run
    }
    // Released outside the lock, because a large run takes a while to free.
    withExtendedLifetime(gone) {}
  }

  func forget(_ run: String) {
    let gone = state.withLock { $0.entries.removeValue(forKey: run) }
    withExtendedLifetime(gone) {}
  }

  var count: Int { state.withLock(\.entries.count) }
}
