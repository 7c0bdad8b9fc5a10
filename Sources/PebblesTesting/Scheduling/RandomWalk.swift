import Pebbles

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
