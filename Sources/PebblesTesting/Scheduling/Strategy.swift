/// A strategy that chooses a task whenever several could run.
protocol Strategy: Sendable {
  /// Chooses one of several tasks.
  ///
  /// - Parameters:
  ///   - tasks: The tasks that could run, in the order in which they became runnable; −1 stands for
  ///     advancing the clock. At least two.
  ///   - step: The number of steps so far, including this one.
  /// - Returns: The index of the chosen task.
  mutating func choose(among tasks: [Int], step: Int) -> Int

  /// Records the end of a schedule, and returns whether there is another schedule.
  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool

  /// Whether all schedules have been tried. Read only after the last one.
  var isComplete: Bool { get }

  /// Whether a schedule did not begin like the schedule that it should have continued.
  var hasDiverged: Bool { get }

  /// The seed that reproduces the current schedule alone; `nil` if there is none.
  var seed: UInt64? { get }
}

extension Strategy {
  var isComplete: Bool { false }
  var hasDiverged: Bool { false }
  var seed: UInt64? { nil }
}

/// First come, first served: a single schedule.
struct InOrder: Strategy {
  mutating func choose(among tasks: [Int], step: Int) -> Int { 0 }
  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool { false }
}
