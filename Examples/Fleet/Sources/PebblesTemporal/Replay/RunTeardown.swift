import Pebbles
import PebblesAnalysis
import PebblesDurable

/// The teardown of a cancelled run. Pebbles that succeeded are torn down in the same order as in a
/// single process.
struct RunTeardown {
  private struct Call {
    /// The time of the latest call; before the first call, the time at which the call was
    /// scheduled.
    var started: Duration
    var finished: Duration?
    var error: String?
  }

  private(set) var schedule: TeardownSchedule

  /// The time at which the teardown began, as an offset from the start of the run.
  private let start: Duration
  private var last: Duration
  private var calls: [Int: Call] = [:]

  init(_ schedule: TeardownSchedule, at time: Duration) {
    self.schedule = schedule
    start = time
    last = time
  }

  /// The pebbles whose teardown is running or ready to run, in definition order.
  var open: [Int] { schedule.running.union(schedule.ready).sorted() }

  /// The number of teardowns that have ended.
  var endedCount: Int { calls.values.count { $0.finished != nil } }

  /// Records that a teardown was scheduled.
  mutating func scheduled(_ pebble: Int, at time: Duration) throws(SchedulerError) {
    try schedule.start(pebble)
    calls[pebble] = Call(started: max(start, time))
  }

  /// Records that a teardown was called, for the first time or again.
  mutating func started(_ pebble: Int, at time: Duration) {
    guard let sent = calls[pebble]?.started else { return }
    calls[pebble]?.started = max(sent, time)
  }

  /// Records that a teardown has ended and will not be called again.
  mutating func ended(
    _ pebble: Int, with error: String?, at time: Duration
  ) throws(SchedulerError) {
    try schedule.end(pebble)
    let finished = max(calls[pebble]?.started ?? start, time)
    calls[pebble]?.finished = finished
    calls[pebble]?.error = error
    last = max(last, finished)
  }

  /// The pebbles whose teardown failed, with the errors of the teardowns, in definition order.
  var failures: [(pebble: Int, error: String)] {
    calls.compactMap { pebble, call in call.error.map { (pebble, $0) } }
      .sorted { $0.pebble < $1.pebble }
  }

  /// A record of the shutdown. It is complete only if all teardowns have ended.
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
