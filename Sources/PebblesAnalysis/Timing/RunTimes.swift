import Pebbles

/// The times of a recorded run in nanoseconds, in flat arrays by pebble.
struct RunTimes {
  /// For a skipped pebble all three are the moment when it was skipped.
  private(set) var ready: [UInt64]
  private(set) var started: [UInt64]
  private(set) var finished: [UInt64]
  private(set) var hasRun: [Bool]

  /// In which order they settled, from 1.
  let positions: [UInt32]

  init(_ replay: Replay) {
    let count = replay.run.pebbles.count
    positions = replay.order.pebbles
    ready = []
    started = []
    finished = []
    hasRun = []
    ready.reserveCapacity(count)
    started.reserveCapacity(count)
    finished.reserveCapacity(count)
    hasRun.reserveCapacity(count)
    for pebble in replay.run.pebbles {
      let end = pebble.finished.nanoseconds
      let start = pebble.started.map { min($0.nanoseconds, end) }
      finished.append(end)
      started.append(start ?? end)
      ready.append(min(pebble.ready?.nanoseconds ?? end, start ?? end))
      hasRun.append(start != nil)
    }
  }

  func isSettledEarlier(_ one: Int, _ other: Int) -> Bool {
    (finished[one], positions[one]) < (finished[other], positions[other])
  }
}
