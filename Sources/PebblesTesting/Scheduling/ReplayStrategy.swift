/// A strategy that repeats the choices of earlier schedules, one schedule after another. After the
/// last recorded choice, it always chooses the first possibility.
struct ReplayStrategy: Strategy {
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
