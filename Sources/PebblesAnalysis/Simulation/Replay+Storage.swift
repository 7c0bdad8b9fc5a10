import Pebbles

extension Replay {
  /// The run as one that is in the process that it was made in is kept, with errors but without
  /// outputs, for what tells of such runs.
  ///
  /// - Complexity: O(pebbles).
  package var storage: RunStorage {
    var kept: [Int: RunIdentifier] = [:]
    for (position, pebble) in run.pebbles.enumerated() {
      kept[position] = pebble.keptFrom.map { RunIdentifier($0) }
    }
    let storage = RunStorage(run.model.pond, state, keptFrom: kept)
    for (position, pebble) in run.pebbles.enumerated() {
      guard let error = pebble.outcome.error else { continue }
      storage.bodyFailed(with: ReplayedError(description: error), at: position)
    }
    return storage
  }
}

/// What an error said that is gone.
private struct ReplayedError: Error, CustomStringConvertible {
  let description: String
}
