import Pebbles

/// Those who sleep on a ``TestClock``, in the order in which they are to wake.
struct Dormitory {
  typealias Sleeper = CheckedContinuation<Void, any Error>

  private struct Alarm: Comparable {
    let deadline: TestClock.Instant
    let bed: Int

    static func < (left: Alarm, right: Alarm) -> Bool {
      (left.deadline, left.bed) < (right.deadline, right.bed)
    }
  }

  private var sleepers: [Int: (Sleeper, TestClock.Instant)] = [:]

  /// The alarms of all sleepers, and of some that have gone since.
  private var alarms = BinaryHeap<Alarm>()
  private var beds = 0

  var count: Int { sleepers.count }

  /// Until when they sleep, first to last.
  var deadlines: [TestClock.Instant] { sleepers.values.map(\.1).sorted() }

  /// The earliest moment that a task sleeps for.
  ///
  /// - Complexity: O(1) if no task has gone early, else O(log *n*) amortized.
  var nextDeadline: TestClock.Instant? {
    mutating get {
      while let next = alarms.min {
        if sleepers[next.bed] != nil { return next.deadline }
        _ = alarms.popMin()
      }
      return nil
    }
  }

  /// A number for a sleeper to come. The task with the lowest one wakes first.
  mutating func makeBed() -> Int {
    beds += 1
    return beds
  }

  mutating func add(_ sleeper: Sleeper, in bed: Int, until deadline: TestClock.Instant) {
    sleepers[bed] = (sleeper, deadline)
    alarms.insert(Alarm(deadline: deadline, bed: bed))
  }

  /// Takes out a sleeper, if it is there.
  mutating func remove(_ bed: Int) -> Sleeper? {
    sleepers.removeValue(forKey: bed)?.0
  }

  /// Takes out those whose time has come, or all if there is no time, first to last.
  mutating func takeSleepers(until time: TestClock.Instant?) -> [Sleeper] {
    var taken: [Sleeper] = []
    while let next = nextDeadline, time.map({ next <= $0 }) ?? true {
      guard let alarm = alarms.popMin() else { break }
      if let sleeper = remove(alarm.bed) { taken.append(sleeper) }
    }
    return taken
  }
}
