import Pebbles

extension Replay {
  /// The run in the form in which its own process stored it, for code that describes such runs. It
  /// has errors but no outputs.
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

/// The message of a recorded error, as an error.
private struct ReplayedError: Error, CustomStringConvertible {
  let description: String
}
