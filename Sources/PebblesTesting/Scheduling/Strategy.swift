import Pebbles

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

  /// Whether all possible schedules have been tried. The value is valid only after the last
  /// schedule.
  var isComplete: Bool { get }

  /// Whether a schedule did not repeat the previous one as far as it should have.
  var hasDiverged: Bool { get }

  /// The seed whose first schedule is the current one; `nil` if there is no such seed.
  var seed: UInt64? { get }
}

extension Strategy {
  var isComplete: Bool { false }
  var hasDiverged: Bool { false }
  var seed: UInt64? { nil }
}

/// A strategy with a single schedule, in which tasks run in the order in which they became
/// runnable.
struct InOrder: Strategy {
  mutating func choose(among tasks: [Int], step: Int) -> Int { 0 }
  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool { false }
}

/// A strategy that chooses each runnable task with equal probability.
struct RandomStrategy: Strategy {
  private var generator: SplitMix64
  private var rest: Int
  private var current: UInt64

  init(count: Int, seed: UInt64) {
    generator = SplitMix64(seed: seed)
    current = seed
    rest = count - 1
  }

  var seed: UInt64? { current }

  mutating func choose(among tasks: [Int], step: Int) -> Int {
    generator.below(tasks.count)
  }

  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool {
    guard rest > 0 else { return false }
    rest -= 1
    // Each schedule has its own seed, so that any of them can be repeated alone.
    current &+= 1
    generator = SplitMix64(seed: current)
    return true
  }
}

/// A strategy that repeats the choices of earlier schedules, one schedule after the other. After
/// the last recorded choice, it always chooses the first possibility.
struct Repetition: Strategy {
  private let schedules: [[Int]]
  private var number = 0
  private var depth = 0

  init(_ schedules: [[Int]]) {
    self.schedules = schedules
  }

  mutating func choose(among tasks: [Int], step: Int) -> Int {
    defer { depth += 1 }
    let choices = schedules[number]
    return depth < choices.count ? choices[depth] : 0
  }

  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool {
    guard number + 1 < schedules.count else { return false }
    number += 1
    depth = 0
    return true
  }
}
