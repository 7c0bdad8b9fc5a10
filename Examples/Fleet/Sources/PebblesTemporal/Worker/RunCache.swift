import PebblesAnalysis
import Synchronization
import TemporalWire

/// A cached run for which this worker makes the decisions. It handles tasks and queries one at a
/// time, even if they arrive together.
actor CachedRun {
  private let replay: RunReplay

  init(_ replay: sending RunReplay) {
    self.replay = replay
  }

  /// The answer to a task.
  struct Answer: Sendable {
    let decisions: [Decision]
    let status: FleetStatus

    /// The result of the run; `nil` if some pebbles have not settled. It is final once the
    /// decisions end the run.
    let result: RunResult?
  }

  /// Applies new events, and returns the next decisions and the status of the run.
  ///
  /// - Parameter events: The new events; empty for a query.
  /// - Returns: The answer; `nil` if the events do not follow the events that have been applied.
  ///   This happens if another worker has made decisions in the meantime, or if the server has
  ///   dropped events and reuses their numbers. After a result of `nil`, the run must not be used.
  /// - Throws: `ReplayError` if an event is impossible in this run. After an error, the run must
  ///   not be used.
  func answer(to events: [TemporalHistoryEvent]) throws(ReplayError) -> Answer? {
    if let first = events.first, first.eventID != replay.lastEvent + 1 { return nil }
    for event in events { try replay.apply(event) }
    return Answer(
      decisions: replay.decisions(), status: replay.status,
      result: replay.recorded().map(RunResult.init))
  }
}

/// A cache of the runs that this worker handled last. The worker need not read the history of a
/// cached run again.
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

  /// Adds a run. If the cache is full, removes the least recently used run.
  ///
  /// - Complexity: O(1); O(capacity) if the cache is full.
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
