import Pebbles
import PebblesAnalysis
import PebblesDurable

/// The way back of a run that was cancelled: what has succeeded is undone, in the order in which a
/// run in one process undoes it.
struct RunTeardown {
  private struct Call {
    /// When it was sent to be called, and then when it was.
    var started: Duration
    var finished: Duration?
    var error: String?
  }

  private(set) var schedule: TeardownSchedule

  /// When the run was over, as an offset from its start.
  private let start: Duration
  private var last: Duration
  private var calls: [Int: Call] = [:]

  init(_ schedule: TeardownSchedule, at time: Duration) {
    self.schedule = schedule
    start = time
    last = time
  }

  /// What still runs or waits, in definition order.
  var open: [Int] { schedule.running.union(schedule.ready).sorted() }

  /// How many have ended.
  var endedCount: Int { calls.values.count { $0.finished != nil } }

  /// A teardown was sent to be called.
  mutating func scheduled(_ pebble: Int, at time: Duration) throws(SchedulerError) {
    try schedule.start(pebble)
    calls[pebble] = Call(started: max(start, time))
  }

  /// A teardown is called, perhaps not for the first time.
  mutating func started(_ pebble: Int, at time: Duration) {
    guard let sent = calls[pebble]?.started else { return }
    calls[pebble]?.started = max(sent, time)
  }

  /// A teardown has ended for good.
  mutating func ended(
    _ pebble: Int, with error: String?, at time: Duration
  ) throws(SchedulerError) {
    try schedule.end(pebble)
    let finished = max(calls[pebble]?.started ?? start, time)
    calls[pebble]?.finished = finished
    calls[pebble]?.error = error
    last = max(last, finished)
  }

  /// Those that have failed, and with what, in definition order.
  var failures: [(pebble: Int, error: String)] {
    calls.compactMap { pebble, call in call.error.map { (pebble, $0) } }
      .sorted { $0.pebble < $1.pebble }
  }

  /// What came of it, once all have ended.
  var recorded: RecordedShutdown {
    let teardowns = calls.compactMap { pebble, call in
      call.finished.map { finished in
        RecordedTeardown(
          pebble: pebble, started: call.started - start, finished: finished - start,
          error: call.error)
      }
    }
    return RecordedShutdown(
      duration: last - start,
      teardowns: teardowns.sorted { left, right in
        (left.started ?? .zero, left.pebble) < (right.started ?? .zero, right.pebble)
      })
  }
}
