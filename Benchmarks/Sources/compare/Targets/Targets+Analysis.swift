import PebblesAnalysis
import PondDefinition
import Workloads

extension Targets {
  /// Measures the analysis of ponds and runs, in seconds. The results are times rather than ratios,
  /// because no peer has such an analysis.
  func analysis() async throws -> [TargetResult] {
    let scenarios = try definePond(Workload(.randomBoolean, size: 30), tally: Tally()).model()
    let layers = try definePond(Workload(.layers, size: 1_000), tally: Tally()).model()
    let boolean = try definePond(Workload(.randomBoolean, size: 1_000), tally: Tally()).model()
    let report = try await definePond(Workload(.layers, size: 100_000), tally: Tally()).run()
    return [
      TargetResult(
        "seconds for all scenarios and their number", "random boolean, 30", limit: 1,
        seconds { scenarios.scenarios().count != 0 },
        note: scenarios.scenarios().isExact ? nil : "not exact"),
      TargetResult(
        "seconds to lint", "layers, 1000", limit: 1, seconds { layers.lint().isEmpty },
        note: undecided(layers)),
      TargetResult(
        "seconds to lint", "random boolean, 1000", limit: 1, seconds { boolean.lint().isEmpty },
        note: undecided(boolean)),
      TargetResult(
        "seconds for the critical path", "layers, 100000", limit: 0.2,
        try seconds { try report.criticalPath().steps.isEmpty }),
    ]
  }

  private func undecided(_ model: PondModel) -> String? {
    model.lint().of(.notDecided).first?.sentence
  }

  /// Returns the times of several calls to a closure, which follow a first, unmeasured call.
  private func seconds(_ call: () throws -> Bool) rethrows -> Spread? {
    let clock = ContinuousClock()
    var times: [Double] = []
    for round in 0...plan.interleaving.rounds {
      let start = clock.now
      _ = try call()
      if round > 0 { times.append((clock.now - start).seconds) }
    }
    return Spread(times)
  }
}
