/// Chooses, wherever several tasks could go on, which one does.
protocol Strategy: Sendable {
  /// - Parameters:
  ///   - tasks: The tasks that could go on, in the order in which they became able to; −1 for
  ///     letting time pass. At least two.
  ///   - step: How many steps there have been, this one included.
  /// - Returns: The place of one of them.
  mutating func choose(among tasks: [Int], step: Int) -> Int

  /// A schedule is over.
  ///
  /// - Returns: Whether there is another one.
  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool

  /// Whether all schedules have been tried once there is no other one.
  var isComplete: Bool { get }

  /// Whether a schedule that was to begin like another one did not.
  var hasDiverged: Bool { get }

  /// What the present schedule alone can be had with.
  var seed: UInt64? { get }
}

extension Strategy {
  var isComplete: Bool { false }
  var hasDiverged: Bool { false }
  var seed: UInt64? { nil }
}

/// First come, first served: one schedule.
struct InOrder: Strategy {
  mutating func choose(among tasks: [Int], step: Int) -> Int { 0 }
  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool { false }
}
