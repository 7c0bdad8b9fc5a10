import Workloads

/// A lower bound for all contestants: a plain loop that awaits the closures one after another,
/// without a graph, conditions, names or concurrency.
struct FloorContestant: Contestant {
  let name = "floor"

  func refusal(of workload: Workload) -> String? {
    workload.sleeps.isEmpty ? nil : "no concurrency"
  }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    let endings = workload.shape.isConjunctive ? [] : workload.endings()
    let all = workload.bodies(tally: tally)
    let bodies =
      endings.isEmpty ? all : all.indices.filter { endings[$0] != .skipped }.map { all[$0] }

    let start = Moment.now
    var failures = 0
    for body in bodies {
      do {
        try await body()
      } catch {
        failures += 1
      }
    }
    let ran = Moment.now
    guard failures <= tally.count else {
      throw ComparisonError.wrongCount(name, workload.shape, executed: tally.count)
    }
    return Phases(run: ran - start)
  }
}
