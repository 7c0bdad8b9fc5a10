import Pebbles

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
