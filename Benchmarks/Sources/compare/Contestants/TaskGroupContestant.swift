import Workloads

/// A contestant that calls `withTaskGroup` with one child task per pebble. It supports only
/// independent pebbles.
struct TaskGroupContestant: Contestant {
  let name: String
  /// Whether each child task, like a pond, reads the clock before and after its body, and returns
  /// both times.
  private let isTimed: Bool

  init(isTimed: Bool) {
    self.isTimed = isTimed
    name = isTimed ? "TaskGroup, timed" : "TaskGroup"
  }

  func refusal(of workload: Workload) -> String? {
    workload.shape == .independent ? nil : "independent only"
  }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    let start = Moment.now
    if isTimed {
      let times = await timed(workload.count, tally: tally)
      let ran = Moment.now
      withExtendedLifetime(times) {}
      return Phases(run: ran - start)
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workload.count {
        group.addTask { tally.increment() }
      }
    }
    return Phases(run: Moment.now - start)
  }

  private struct Timed: Sendable {
    let index: Int
    let started: ContinuousClock.Instant
    let finished: ContinuousClock.Instant
  }

  private func timed(_ count: Int, tally: Tally) async -> [Timed?] {
    await withTaskGroup(of: Timed.self, returning: [Timed?].self) { group in
      for index in 0..<count {
        group.addTask {
          let started = ContinuousClock.now
          tally.increment()
          return Timed(index: index, started: started, finished: ContinuousClock.now)
        }
      }
      var times: [Timed?] = Array(repeating: nil, count: count)
      for await time in group { times[time.index] = time }
      return times
    }
  }
}
