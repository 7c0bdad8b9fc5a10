import Pebbles

/// A strategy for probabilistic concurrency testing: S. Burckhardt, P. Kothari, M. Musuvathi, S.
/// Nagarakatte, *A randomized scheduler with probabilistic guarantees of finding bugs*, ASPLOS
/// 2010.
///
/// Every task has a random priority, and the task with the highest priority runs. At `depth − 1`
/// random steps, the chosen task gets a new priority, which is lower than all initial priorities.
/// Consider a bug that occurs only if `depth` steps happen in a certain order. With *n* tasks and
/// *k* steps, a schedule finds the bug with a probability of at least
/// 1 / (*n* · *k* ^ (`depth` − 1)), whatever the tasks do.
struct PriorityStrategy: Strategy {
  private let depth: Int
  private var rest: Int
  private var current: UInt64
  private var generator: SplitMix64

  /// The number of steps in the longest schedule so far. In the next schedule, priorities change at
  /// random steps up to this number.
  private var longest = 0
  private var priorities: [Int: UInt64] = [:]

  /// The steps at which the chosen task gets a new priority, each with the new priority. The last
  /// step comes first.
  private var changes: [(step: Int, priority: UInt64)] = []

  init(count: Int, depth: Int, seed: UInt64) {
    self.depth = depth
    rest = count - 1
    current = seed
    generator = SplitMix64(seed: seed)
  }

  mutating func choose(among tasks: [Int], step: Int) -> Int {
    var place = highest(of: tasks)
    // `choose` is not called for steps without a choice, so the changes of such steps are made now.
    while let change = changes.last, change.step <= step {
      changes.removeLast()
      priorities[tasks[place]] = change.priority
      place = highest(of: tasks)
    }
    return place
  }

  mutating func scheduleEnded(_ ending: ScheduleLoop.Ending) -> Bool {
    longest = max(longest, ending.steps)
    guard rest > 0 else { return false }
    rest -= 1
    current &+= 1
    generator = SplitMix64(seed: current)
    priorities = [:]
    // These priorities are below all that are drawn for tasks.
    changes = (1..<depth).map { (1 + generator.below(max(longest, 1)), UInt64($0)) }
    changes.sort { $0.step > $1.step }
    return true
  }

  private mutating func highest(of tasks: [Int]) -> Int {
    var best = (place: 0, priority: UInt64.min)
    for (place, task) in tasks.enumerated() {
      let priority = priority(of: task)
      if priority >= best.priority { best = (place, priority) }
    }
    return best.place
  }

  private mutating func priority(of task: Int) -> UInt64 {
    if let known = priorities[task] { return known }
    let priority = max(generator.next(), UInt64(depth))
    priorities[task] = priority
    return priority
  }
}
