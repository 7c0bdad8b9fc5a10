import PondDefinition
import Workloads

extension Targets {
  /// Measures the makespan of a boot minus half a millisecond, divided by the longest path.
  ///
  /// Every body records how long it actually slept, which is slightly longer than requested. The
  /// longest path is computed from these durations, so that timer inaccuracies do not count against
  /// the pond. The makespan is the duration of the whole call to `run`.
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
      // The first run is a warm-up.
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
