/// A strategy that chooses a task whenever several could run.
protocol Strategy: Sendable {
  /// Chooses one of several tasks.
  ///
  /// - Parameters:
  ///   - tasks: The tasks that could run, in the order in which they became runnable; −1 stands for
  ///     advancing the clock. There are at least two elements.
  ///   - step: The number of steps so far, including this one.
  /// - Returns: The index of the chosen task.
  mutating func choose(among tasks: [Int], step: Int) -> Int

  /// Records the end of a schedule, and returns whether another schedule follows.
  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool

  /// Whether all possible schedules have been tried. The value is valid only after the last
  /// schedule.
  var isComplete: Bool { get }

  /// Whether any schedule departed from the previous one earlier than planned.
  var hasDiverged: Bool { get }

  /// A seed whose first schedule is the current one; `nil` if there is no such seed.
  var seed: UInt64? { get }
}

extension Strategy {
  var isComplete: Bool { false }
  var hasDiverged: Bool { false }
  var seed: UInt64? { nil }
}
