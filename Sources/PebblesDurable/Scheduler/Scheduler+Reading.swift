import Pebbles

extension Scheduler {
  /// The name of the pond.
  public var pondName: String { storage.pond.graph.pondName }

  /// The pebbles whose outcomes the body of a pebble is called with, ascending: those of its
  /// `needs:`. All of them have settled once it is ready. None for a pebble that there is not.
  ///
  /// - Complexity: O(inputs), and sorting them.
  public func inputs(of pebble: Int) -> [Int] {
    storage.has(pebble) ? storage.pond.graph.pebblesRead(by: pebble) : []
  }

  /// The cases that a pebble has, in the order of their definition. None for a pebble that there is
  /// not.
  ///
  /// - Complexity: O(1).
  public func cases(of pebble: Int) -> [PebbleCase] {
    storage.pond.graph.cases[pebble]?.cases ?? []
  }

  /// How the pebble at a position has ended; `nil` if it has not, or if there is none.
  ///
  /// - Complexity: O(1).
  public func outcome(of pebble: Int) -> Outcome? {
    storage.has(pebble) ? storage.values.outcome(at: pebble) : nil
  }

  /// The report of the run, without outputs; `nil` before it is finished. All that is made of a
  /// report can be made of it: its text, pictures, a record to keep, compare and look into.
  public var report: Report? {
    guard isFinished else { return nil }
    let state = storage.state
    let end = names.indices.reduce(now) { max($0, state.finishTime(of: $1)) }
    return Report(storage, runIdentifier, endedAt: end, cancellation)
  }
}
