import Pebbles

extension Replay {
  /// The recorded run, stored like a live run. Code that describes live runs can therefore describe
  /// it as well. The storage contains errors, but no outputs.
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

/// An error whose description is the message of a recorded error.
private struct ReplayedError: Error, CustomStringConvertible {
  let description: String
}
