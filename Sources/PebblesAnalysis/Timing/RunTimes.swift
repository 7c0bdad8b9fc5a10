import Pebbles

/// When everything happened in a recorded run, in nanoseconds, and in which order it settled; flat
/// arrays by pebble.
struct RunTimes {
  /// For a skipped pebble all three are the moment when it was skipped.
  let ready: [UInt64]
  let started: [UInt64]
  let finished: [UInt64]

  /// From 1.
  let positions: [UInt32]

  private let records: FlatRecords

  init(_ replay: Replay) {
    records = replay.records
    ready = records.ready
    started = records.started
    finished = records.finished
    positions = replay.order.pebbles
  }

  func hasRun(_ pebble: Int) -> Bool { records.hasRun(pebble) }

  func isSettledEarlier(_ one: Int, _ other: Int) -> Bool {
    (finished[one], positions[one]) < (finished[other], positions[other])
  }

  /// The pebbles in the order in which they settled.
  ///
  /// - Complexity: O(pebbles + predicates).
  var settled: [Int] {
    var places = [Int](repeating: -1, count: Int(positions.max() ?? 0) + 1)
    for (pebble, position) in positions.enumerated() { places[Int(position)] = pebble }
    return places.filter { $0 >= 0 }
  }
}
