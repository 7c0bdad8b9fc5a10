/// A strategy that goes through all schedules in depth-first order. Each schedule repeats the
/// previous one up to the last choice with an untried alternative (stateless search; P. Godefroid,
/// *Model checking for programming languages using VeriSoft*, POPL 1997).
struct DepthFirstStrategy: Strategy {
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
    // `scheduleEnded` detects a schedule that does not repeat the path.
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
