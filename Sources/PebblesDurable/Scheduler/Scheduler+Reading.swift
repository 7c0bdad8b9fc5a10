import Pebbles

extension Scheduler {
  /// The name of the pond.
  public var pondName: String { storage.pond.graph.pondName }

  /// Returns the positions of a pebble's inputs, in ascending order; empty if the pebble does not
  /// exist. The inputs are the pebbles in `needs:`, whose outcomes are passed to the body. All
  /// inputs have settled once the pebble is ready.
  ///
  /// - Complexity: O(inputs), plus the time to sort them.
  public func inputs(of pebble: Int) -> [Int] {
    storage.has(pebble) ? storage.pond.graph.pebblesRead(by: pebble) : []
  }

  /// Returns the cases of a pebble, in definition order; empty if there is no such pebble.
  ///
  /// - Complexity: O(1).
  public func cases(of pebble: Int) -> [PebbleCase] {
    storage.pond.graph.cases[pebble]?.cases ?? []
  }

  /// Returns the outcome of the pebble at a position; `nil` if the pebble has not settled, or if
  /// there is no such pebble.
  ///
  /// - Complexity: O(1).
  public func outcome(of pebble: Int) -> Outcome? {
    storage.has(pebble) ? storage.values.outcome(at: pebble) : nil
  }

  /// The report of the run, without outputs; `nil` before the run is finished. Like any report, it
  /// can be printed, drawn and recorded.
  public var report: Report? {
    guard isFinished else { return nil }
    let state = storage.state
    let end = names.indices.reduce(now) { max($0, state.finishTime(of: $1)) }
    return Report(storage, runIdentifier, endedAt: end, cancellation)
  }
}
