import PondDefinition
import Workloads

extension Targets {
  /// How much longer a boot takes than the longest path through it.
  ///
  /// Every body notes how long its sleep really took, which is a little more than it asked for; the
  /// longest path is taken over those times of the same run, so that the timer's lateness is not
  /// the pond's. The makespan is the time that `run` takes, seen from outside.
  func bootMakespan() async throws -> TargetResult {
    let workload = Workload(.boot, size: 0)
    let clock = ContinuousClock()
    var ratios: [Double] = []
    var overheads: [Double] = []
    for round in 0...plan.interleaving.rounds {
      let log = SleepLog(count: workload.count)
      let pond = definePond(workload, tally: Tally(), sleepLog: log)
      let start = clock.now
      _ = try await pond.run()
      let makespan = clock.now - start
      // The first one warms up.
      guard round > 0 else { continue }
      let longest = workload.longestPath(log.durations)
      ratios.append((makespan - .microseconds(500)).nanoseconds / longest.nanoseconds)
      overheads.append((makespan - longest).nanoseconds / 1e3)
    }
    let overhead = Spread(overheads).map { "makespan - longest path: \(Int($0.median)) us; " } ?? ""
    let nominal = Int(workload.longestPath(workload.sleeps).seconds * 1e3)
    return TargetResult(
      "(makespan - 0.5 ms) / longest path of sleeps", "boot", limit: 1.01, Spread(ratios),
      note: "\(overhead)sleeps of the longest path: \(nominal) ms")
  }
}
