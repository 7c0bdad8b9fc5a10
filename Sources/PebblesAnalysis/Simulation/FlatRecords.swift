import Pebbles

/// The record of a run in flat arrays indexed by pebble, without names or errors. Times are in
/// nanoseconds.
package struct FlatRecords: Sendable {
  /// The times at which the pebbles became ready. For a skipped pebble, `ready`, `started` and
  /// `finished` all hold the time at which the pebble was skipped.
  package private(set) var ready: [UInt64] = []
  package private(set) var started: [UInt64] = []
  package private(set) var finished: [UInt64] = []

  /// The final status of each pebble; `waiting` for a pebble that was not in the run.
  package private(set) var statuses: [PebbleStatus] = []

  /// The cases that hold, keyed by the position of their pebble. A pebble has no entry if it has no
  /// cases, or if its recorded cases are impossible.
  package private(set) var cases: [Int: CaseSet] = [:]

  /// Creates the flat record of a run.
  ///
  /// - Complexity: O(pebbles).
  init(_ run: RecordedRun) {
    let count = run.pebbles.count
    ready.reserveCapacity(count)
    started.reserveCapacity(count)
    finished.reserveCapacity(count)
    statuses.reserveCapacity(count)
    for pebble in run.pebbles {
      let end = pebble.finished.nanoseconds
      finished.append(end)
      if let begin = pebble.started {
        let begin = min(begin.nanoseconds, end)
        started.append(begin)
        ready.append(pebble.ready.map { min($0.nanoseconds, begin) } ?? begin)
      } else {
        started.append(end)
        ready.append(end)
      }
      statuses.append(PebbleStatus(pebble.outcome))
    }
    for (pebble, list) in run.model.pond.graph.cases where pebble < count {
      let held = run.pebbles[pebble].cases
      // Impossible cases are a fault of the record, which is reported elsewhere.
      cases[pebble] = try? list.set(of: held, succeeded: run.pebbles[pebble].outcome.isSucceeded)
    }
  }

  package func hasRun(_ pebble: Int) -> Bool {
    switch statuses[pebble] {
    case .succeeded, .failed: true
    case .waiting, .running, .skippedByCondition, .skippedByStall, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      false
    }
  }
}
