import Pebbles

/// The tasks that sleep on a ``TestClock``, in the order in which they will wake.
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

  /// The alarms of all sleepers, and of some that have been removed since.
  private var alarms = BinaryHeap<Alarm>()
  private var beds = 0

  var count: Int { sleepers.count }

  /// The deadlines of all sleepers, earliest first.
  var deadlines: [TestClock.Instant] { sleepers.values.map(\.1).sorted() }

  /// The earliest deadline of a sleeper; `nil` if no task is asleep.
  ///
  /// - Complexity: O(1) if no task was removed early, else O(log *n*) amortized.
  var nextDeadline: TestClock.Instant? {
    mutating get {
      while let next = alarms.min {
        if sleepers[next.bed] != nil { return next.deadline }
        _ = alarms.popMin()
      }
      return nil
    }
  }

  /// Returns a new number for a task that may fall asleep. Of tasks with the same deadline, the
  /// task with the lowest number wakes first.
  mutating func makeBed() -> Int {
    beds += 1
    return beds
  }

  mutating func add(_ sleeper: Sleeper, in bed: Int, until deadline: TestClock.Instant) {
    sleepers[bed] = (sleeper, deadline)
    alarms.insert(Alarm(deadline: deadline, bed: bed))
  }

  /// Removes a sleeper and returns it; `nil` if it is not asleep.
  mutating func remove(_ bed: Int) -> Sleeper? {
    sleepers.removeValue(forKey: bed)?.0
  }

  /// Removes and returns the sleepers whose deadline has come by `time`, earliest first. If `time`
  /// is `nil`, removes and returns all sleepers.
  mutating func takeSleepers(until time: TestClock.Instant?) -> [Sleeper] {
    var taken: [Sleeper] = []
    while let next = nextDeadline, time.map({ next <= $0 }) ?? true {
      guard let alarm = alarms.popMin() else { break }
      if let sleeper = remove(alarm.bed) { taken.append(sleeper) }
    }
    return taken
  }
}
