import Pebbles

/// The tasks that sleep on a ``TestClock``, in the order in which they will wake.
struct SleeperQueue {
  typealias Sleeper = CheckedContinuation<Void, any Error>

  private struct Alarm: Comparable {
    let deadline: TestClock.Instant
    let number: Int

    static func < (left: Alarm, right: Alarm) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  private var sleepers: [Int: (Sleeper, TestClock.Instant)] = [:]

  /// The alarms of all sleepers, and of some sleepers that have already been removed.
  private var alarms = BinaryHeap<Alarm>()
  private var lastNumber = 0

  var count: Int { sleepers.count }

  /// The deadlines of all sleepers, earliest first.
  var deadlines: [TestClock.Instant] { sleepers.values.map(\.1).sorted() }

  /// The earliest deadline of a sleeper; `nil` if no task is asleep.
  ///
  /// - Complexity: O(1) if no task was removed before its deadline; otherwise, O(log *n*)
  ///   amortized, where *n* is the number of alarms.
  var nextDeadline: TestClock.Instant? {
    mutating get {
      while let next = alarms.min {
        if sleepers[next.number] != nil { return next.deadline }
        _ = alarms.popMin()
      }
      return nil
    }
  }

  /// Returns a new number for a task that may fall asleep. Among tasks with the same deadline, the
  /// task with the lowest number wakes first.
  mutating func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(_ sleeper: Sleeper, numbered number: Int, until deadline: TestClock.Instant) {
    sleepers[number] = (sleeper, deadline)
    alarms.insert(Alarm(deadline: deadline, number: number))
  }

  /// Removes and returns the sleeper with the given number; `nil` if no sleeper has this number.
  mutating func remove(_ number: Int) -> Sleeper? {
    sleepers.removeValue(forKey: number)?.0
  }

  /// Removes and returns the sleepers whose deadline is at or before `time`, earliest first. If
  /// `time` is `nil`, removes and returns all sleepers.
  mutating func takeSleepers(until time: TestClock.Instant?) -> [Sleeper] {
    var taken: [Sleeper] = []
    while let next = nextDeadline, time.map({ next <= $0 }) ?? true {
      guard let alarm = alarms.popMin() else { break }
      if let sleeper = remove(alarm.number) { taken.append(sleeper) }
    }
    return taken
  }
}
