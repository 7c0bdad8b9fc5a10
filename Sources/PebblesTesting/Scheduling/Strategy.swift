import Pebbles

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

/// Each of those that could go on is as likely as any other.
struct RandomWalk: Strategy {
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
    // A seed of its own for each, so that any of them can be had without those before it.
    current &+= 1
    generator = SplitMix64(seed: current)
    return true
  }
}

/// All schedules, depth first: each repeats the one before up to the last choice that has not been
/// tried in all ways (stateless search; P. Godefroid, *Model checking for programming languages
/// using VeriSoft*, POPL 1997).
struct DepthFirst: Strategy {
  private var path: [ScheduleLoop.Choice] = []
  private var depth = 0
  private var rest: Int
  private(set) var isComplete = false
  private(set) var hasDiverged = false

  init(limit: Int) {
    rest = limit - 1
  }

  mutating func choose(among tasks: [Int], step: Int) -> Int {
    defer { depth += 1 }
    // What does not repeat is noticed afterwards.
    return depth < path.count ? min(path[depth].index, tasks.count - 1) : 0
  }

  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool {
    depth = 0
    if !ending.choices.starts(with: path) { hasDiverged = true }
    path = ending.choices
    while let last = path.popLast() {
      guard last.index + 1 < last.count else { continue }
      guard rest > 0 else { return false }
      rest -= 1
      path.append(ScheduleLoop.Choice(index: last.index + 1, count: last.count))
      return true
    }
    isComplete = !hasDiverged
    return false
  }
}

/// The choices of earlier schedules, one after the other, and the first of all wherever these have
/// been used up.
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
